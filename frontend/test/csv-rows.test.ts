import { expect } from 'chai';
import { csvRowCounter } from '../src/features/leads/list/csv-rows.ts';

const file = '\uFEFFkind,message\r\ncontact,"First\r\n""second"" line"\r\ncontact,ليلى\r\n';

describe('The count of the rows of a CSV file', () => {
  it('leaves out the line of the columns, and breaks in quotes, however the file is cut', () => {
    const bytes = new TextEncoder().encode(file);
    for (let size = 1; size <= bytes.length; size++) {
      const counter = csvRowCounter();
      for (let from = 0; from < bytes.length; from += size) counter.add(bytes.subarray(from, from + size));
      expect(counter.rows(), `pieces of ${size}`).to.equal(2);
    }
  });

  it('is zero before the first row', () => {
    const counter = csvRowCounter();
    expect(counter.rows()).to.equal(0);
    counter.add(new TextEncoder().encode('kind,message\r\n'));
    expect(counter.rows()).to.equal(0);
  });
});
