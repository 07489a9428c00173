import { expect } from 'chai';
import { newId } from '../src/connection/ids.ts';

describe('an id', () => {
  it('is a UUID version 7 that contains its time', () => {
    const before = Date.now();
    const id = newId();
    expect(id).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const time = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
    expect(time).to.be.within(before, Date.now() + 1);
  });

  it('is unique and sorts after the previous one, even within a millisecond', () => {
    const ids = Array.from({ length: 50_000 }, () => newId());
    expect(ids).to.deep.equal(ids.toSorted());
    expect(new Set(ids).size).to.equal(ids.length);
  });
});
