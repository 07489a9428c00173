import { expect } from 'chai';
import { anyLineBreak, linesOf, onOneLine, terminalLine, withLineFeeds } from '../src/lines.ts';
import { lineBreaks } from './line-breaks.ts';

describe('the lines of a text', () => {
  it('end at every break that mail programs and terminals know', () => {
    for (const lineBreak of lineBreaks) {
      const text = `one${lineBreak}two`;
      expect(linesOf(text), JSON.stringify(lineBreak)).to.deep.equal(['one', 'two']);
      expect([onOneLine(text), withLineFeeds(text), terminalLine(text)]).to.deep.equal([
        'one two',
        'one\ntwo',
        'one two',
      ]);
      expect(anyLineBreak.test(text)).to.equal(true);
    }
  });

  it('do not end at a tab, a space or a joiner', () => {
    const text = 'one\ttwo\u00a0three\u200bfour\u200dfive';
    expect(linesOf(text)).to.deep.equal([text]);
    expect(anyLineBreak.test(text)).to.equal(false);
  });

  it('have nothing in a terminal that changes what it shows', () => {
    expect(terminalLine('a\u001b[2Jb\u009bc\u202ed\u0000e')).to.equal('a [2Jb c d e');
  });
});
