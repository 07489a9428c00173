import { expect } from 'chai';
import { formatAsOf, formatDate, formatDateTime, formatDuration, oldestTime } from '../src/format/dates.ts';

describe('dates', () => {
  it("are shown in the agreed format, in the reader's time zone", () => {
    const iso = new Date(2026, 2, 5, 7, 4).toISOString();
    expect(formatDate(iso)).to.equal('Mar 05, 2026');
    expect(formatDateTime(iso)).to.equal('Mar 05, 2026 07:04');
  });

  it('show when data was loaded, with the date on another day', () => {
    const loaded = new Date(2026, 2, 5, 14, 5).getTime();
    expect(formatAsOf(loaded, new Date(2026, 2, 5, 23, 59).getTime())).to.equal('14:05');
    expect(formatAsOf(loaded, new Date(2026, 2, 6, 0, 1).getTime())).to.equal('Mar 05, 2026 14:05');
  });

  it('are those of the oldest part of a page, once all parts have loaded', () => {
    expect(oldestTime([7, 3, 5])).to.equal(3);
    expect(oldestTime([7, undefined])).to.equal(undefined);
  });

  it('show a duration in its largest unit, rounded down', () => {
    const shown = [0, 1, 59, 60, 119, 3_599, 3_600, 7_300, 86_399, 86_400, 40 * 86_400].map(formatDuration);
    expect(shown.map((each) => each.replace('\u{A0}', ' '))).to.deep.equal([
      '0 seconds',
      '1 second',
      '59 seconds',
      '1 minute',
      '1 minute',
      '59 minutes',
      '1 hour',
      '2 hours',
      '23 hours',
      '1 day',
      '40 days',
    ]);
  });
});
