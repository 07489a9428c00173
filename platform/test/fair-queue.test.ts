import { expect } from 'chai';
import { fairQueue } from '../src/accounts/fair-queue.ts';

/** A queue with one place, whose tasks end when the test says so. */
function startQueue(maxWaiting: number, maxReserved = 2) {
  const inTurn = fairQueue({ concurrency: 1, maxWaiting, maxReserved, refusal: () => new RangeError('full') });
  const started: string[] = [];
  const refused: string[] = [];
  const ends: (() => void)[] = [];
  const add = (group: string | undefined, name: string): void => {
    inTurn(group, () => {
      started.push(name);
      return new Promise<void>((end) => ends.push(end));
    }).catch((error: unknown) => {
      expect(error).to.be.instanceOf(RangeError);
      refused.push(name);
    });
  };
  /** Ends the running task and lets the next one start. */
  const endOne = async (): Promise<void> => {
    ends.shift()?.();
    for (let step = 0; step < 10; step++) await Promise.resolve();
  };
  const endAll = async (): Promise<void> => {
    await endOne();
    while (ends.length > 0) await endOne();
  };
  return { add, endAll, started, refused };
}

describe('the queue of password checks', () => {
  it('lets the groups take turns', async () => {
    const { add, endAll, started } = startQueue(20);
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) add(name.charAt(0), name);
    await endAll();
    expect(started).to.deep.equal(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('rejects the newest task of the longest group if it is full', async () => {
    const { add, endAll, started, refused } = startQueue(4);
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'a6', 'b2', 'c1']) add(name.charAt(0), name);
    await endAll();
    expect(refused).to.have.members(['a5', 'a6', 'a4', 'a3']);
    expect(started).to.have.members(['a1', 'a2', 'b1', 'b2', 'c1']);
  });

  it('rejects a task whose group is as long as the longest', async () => {
    const { add, endAll, refused } = startQueue(2);
    for (const name of ['x1', 'a1', 'b1', 'c1', 'a2']) add(name.charAt(0), name);
    await endAll();
    expect(refused).to.deep.equal(['c1', 'a2']);
  });

  it('runs tasks of the reserve first, in separate places', async () => {
    const { add, endAll, started, refused } = startQueue(2, 2);
    for (const name of ['a1', 'a2', 'a3', 'a4']) add('a', name);
    for (const name of ['r1', 'r2', 'r3']) add(undefined, name);
    await endAll();
    expect(started).to.deep.equal(['a1', 'r1', 'r2', 'a2', 'a3']);
    expect(refused).to.deep.equal(['a4', 'r3']);
  });

  it('continues after a task that throws', async () => {
    const inTurn = fairQueue({ concurrency: 1, maxWaiting: 2, maxReserved: 2, refusal: () => new RangeError('full') });
    const broken = inTurn('a', () => Promise.reject(new TypeError('broken')));
    const next = inTurn('a', async () => 7);
    expect(await broken.catch((error: unknown) => error)).to.be.instanceOf(TypeError);
    expect(await next).to.equal(7);
  });
});
