import { expect } from 'chai';
import { findNewerBuiltIns } from '../build/newer-built-ins.ts';
import { buildTarget } from '../build/oldest-browsers.ts';

describe('The check for newer built-ins', () => {
  it('checks for the browsers that package.json names', () => {
    expect(buildTarget).to.deep.equal(['chrome100', 'firefox102', 'safari15.4']);
  });

  for (const [code, found] of [
    ['list.toReversed()', 'toReversed()'],
    ['list.findLast(isLate)', 'findLast()'],
    ['Object.groupBy(leads, kindOf)', 'Object.groupBy'],
    ['Promise.withResolvers()', 'Promise.withResolvers'],
    ['Array.fromAsync(pages)', 'Array.fromAsync'],
    ['AbortSignal.any([a, b])', 'AbortSignal.any'],
    ['URL.canParse(address)', 'URL.canParse'],
    ['new IdleDetector()', 'IdleDetector'],
    ['scheduler.yield()', 'scheduler'],
    ['window.scheduler.yield()', 'scheduler'],
    ['form.requestSubmit()', 'requestSubmit()'],
    ['/(?<=a)b/.test(text)', 'lookbehind in a regular expression'],
    ["new RegExp('(?<!a)b')", 'lookbehind in a regular expression'],
  ] as const) {
    it(`finds ${found} in ${code}`, () => {
      expect(findNewerBuiltIns(code)).to.include(found);
    });
  }

  it('accepts built-ins of the oldest browsers, and newer names that are only property keys', () => {
    const code = `[1].at(-1); Object.hasOwn({}, 'a'); structuredClone({}); ({ scheduler: 1 }).scheduler; /(?<year>\\d)/d`;
    expect(findNewerBuiltIns(code)).to.deep.equal([]);
  });
});
