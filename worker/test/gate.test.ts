import { expect } from 'chai';
import { openGate } from '../src/delivery/gate.ts';

describe('the gate', () => {
  /** Calls `enter` for several callers and records who has entered. */
  function crowd(maxInside: number) {
    const gate = openGate(maxInside);
    const inside: string[] = [];
    const exits: (() => void)[] = [];
    return {
      inside,
      come: async (...names: string[]): Promise<void> => {
        for (const name of names) {
          void gate.enter().then((leave) => {
            inside.push(name);
            exits.push(leave);
          });
        }
        await Promise.resolve();
      },
      leave: async (): Promise<void> => {
        exits.shift()?.();
        await Promise.resolve();
      },
      leaveTwice: async (): Promise<void> => {
        const exit = exits.shift();
        exit?.();
        exit?.();
        await Promise.resolve();
      },
    };
  }

  it('admits the first caller immediately', async () => {
    const { inside, ...people } = crowd(3);
    await people.come('a');
    expect(inside).to.deep.equal(['a']);
  });

  it('admits waiting callers together and in order when the gate is empty', async () => {
    const { inside, ...people } = crowd(3);
    await people.come('a', 'b', 'c');
    expect(inside).to.deep.equal(['a']);
    await people.leave();
    expect(inside).to.deep.equal(['a', 'b', 'c']);
  });

  it('admits no caller until the last one inside has left', async () => {
    const { inside, ...people } = crowd(2);
    await people.come('a', 'b', 'c', 'd');
    await people.leave();
    await people.leave();
    expect(inside).to.deep.equal(['a', 'b', 'c']);
    await people.leave();
    expect(inside).to.deep.equal(['a', 'b', 'c', 'd']);
  });

  it('counts a caller that leaves twice only once', async () => {
    const { inside, ...people } = crowd(2);
    await people.come('a', 'b', 'c', 'd');
    await people.leave();
    await people.leaveTwice();
    expect(inside).to.deep.equal(['a', 'b', 'c']);
  });
});
