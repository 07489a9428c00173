import { expect } from 'chai';
import { formatMinutes } from '../src/format/durations.ts';

describe('The median time to answer', () => {
  for (const [minutes, text] of [
    [0, '0 min'],
    [59.6, '1 h'],
    [60, '1 h'],
    [200, '3 h 20 min'],
    [48 * 60, '2 d'],
    [51 * 60, '2 d 3 h'],
  ] as const) {
    it(`of ${minutes} minutes is "${text}"`, () => {
      expect(formatMinutes(minutes).replaceAll('\u{A0}', ' ')).to.equal(text);
    });
  }
});
