import { expect } from 'chai';
import { openGate } from '../src/gate.ts';

describe('the gate', () => {
  /** Lets several wait, and tells who is in. */
  function crowd(most: number) {
    const gate = openGate(most);
    const inside: string[] = [];
    return {
      inside,
      async come(...names: string[]): Promise<void> {
        for (const name of names) void gate.enter().then(() => inside.push(name));
        await Promise.resolve();
      },
      async leave(times = 1): Promise<void> {
        for (let time = 0; time < times; time += 1) gate.leave();
        await Promise.resolve();
      },
    };
  }

  it('lets the first in at once', async () => {
    const { come, inside } = crowd(3);
    await come('a');
    expect(inside).to.deep.equal(['a']);
  });

  it('lets those who came meanwhile in together, in order, once nobody is inside', async () => {
    const { come, leave, inside } = crowd(3);
    await come('a', 'b', 'c');
    expect(inside).to.deep.equal(['a']);
    await leave();
    expect(inside).to.deep.equal(['a', 'b', 'c']);
  });

  it('keeps all out until the last has left', async () => {
    const { come, leave, inside } = crowd(2);
    await come('a', 'b', 'c', 'd');
    await leave();
    await leave();
    expect(inside).to.deep.equal(['a', 'b', 'c']);
    await leave();
    expect(inside).to.deep.equal(['a', 'b', 'c', 'd']);
  });
});
