import { expect } from 'chai';
import { cachedRead } from '../src/dashboard/cached-read.ts';

describe('a cached read', () => {
  const aDay = 86_400_000;

  it('is shared by concurrent callers', async () => {
    let reads = 0;
    const read = cachedRead(async () => ++reads, 0);
    expect(await Promise.all([read(), read(), read()])).to.deep.equal([1, 1, 1]);
  });

  it('keeps its result for its time, and reads again after it', async () => {
    for (const [keptMs, second] of [
      [aDay, 1],
      [0, 2],
    ] as const) {
      let reads = 0;
      const read = cachedRead(async () => ++reads, keptMs);
      expect([await read(), await read()]).to.deep.equal([1, second]);
    }
  });

  it('passes an error on to all callers and reads again', async () => {
    let reads = 0;
    const outage = new Error('The database is unavailable');
    const read = cachedRead(async () => {
      if (++reads === 1) throw outage;
      return reads;
    }, aDay);
    const outcomes = await Promise.allSettled([read(), read()]);
    expect(outcomes).to.deep.equal(outcomes.map(() => ({ status: 'rejected', reason: outage })));
    expect([await read(), await read()]).to.deep.equal([2, 2]);
  });
});
