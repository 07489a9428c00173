import { expect } from 'chai';
import { formatDate, formatDateTime } from '../src/format/dates.ts';

describe('dates', () => {
  it('are shown as specification §9 has it, in the time zone of the reader', () => {
    const iso = new Date(2026, 2, 5, 7, 4).toISOString();
    expect(formatDate(iso)).to.equal('Mar 05, 2026');
    expect(formatDateTime(iso)).to.equal('Mar 05, 2026 07:04');
  });
});
