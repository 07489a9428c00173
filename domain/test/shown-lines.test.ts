import { expect } from 'chai';
import { foldedLines, shownLines } from '../src/shown-lines.ts';

describe('the shown lines of a text', () => {
  it('are those of the text, with at most two blank lines in a row', () => {
    expect(shownLines('Hello\n\n\nI am\nhere.')).to.deep.equal(['Hello', '', '', 'I am', 'here.']);
    expect(shownLines('Hello\r\n\r\n \t\r\n\u00a0\r\n\r\nthere')).to.deep.equal(['Hello', '', ' \t', 'there']);
    expect(shownLines(`a\r${'\u2028'.repeat(4_900)}b`)).to.deep.equal(['a', '', '', 'b']);
    expect(shownLines('')).to.deep.equal(['']);
  });

  it('are folded after 40, unless only a few follow', () => {
    const lines = (count: number) => Array.from({ length: count }, (_, index) => `${index}`).join('\n');
    expect(foldedLines(lines(45))).to.deep.equal({ first: lines(45), rest: '', count: 45 });
    const { first, rest, count } = foldedLines(lines(46));
    expect([first, `${first}\n${rest}`, count]).to.deep.equal([lines(40), lines(46), 46]);
    expect(foldedLines('\n'.repeat(4_900)).rest).to.equal('');
  });
});
