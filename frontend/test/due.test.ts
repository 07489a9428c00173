import { expect } from 'chai';
import { formatDue, formatMinutes } from '../src/format/due.ts';

const now = Date.parse('2026-03-07T12:00:00.000Z');
const at = (minutes: number) => new Date(now + minutes * 60_000).toISOString();
const plain = (text: string) => text.replaceAll('\u{A0}', ' ');

describe('The time of an answer', () => {
  it('is rounded down in minutes, hours or days', () => {
    const texts = [0.5, 59, 60, 179, 47 * 60 + 59, 48 * 60].map((minutes) => plain(formatDue(at(minutes), now)));
    expect(texts).to.deep.equal([
      'due in 1 min',
      'due in 59 min',
      'due in 1 h',
      'due in 2 h',
      'due in 47 h',
      'due in 2 days',
    ]);
  });

  it('is overdue from the due time on', () => {
    expect([0, -90, -72 * 60].map((minutes) => plain(formatDue(at(minutes), now)))).to.deep.equal([
      'overdue by 1 min',
      'overdue by 1 h',
      'overdue by 3 days',
    ]);
  });
});

describe('The median time to answer', () => {
  it('has two units at most', () => {
    expect([0, 59.6, 60, 200, 48 * 60, 51 * 60].map((minutes) => plain(formatMinutes(minutes)))).to.deep.equal([
      '0 min',
      '1 h',
      '1 h',
      '3 h 20 min',
      '2 d',
      '2 d 3 h',
    ]);
  });
});
