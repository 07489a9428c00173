import { expect } from 'chai';
import { provideFindLast } from '../src/features/dashboard/find-last.ts';

describe('The array methods of browsers without them', () => {
  it('find the last match, or nothing', () => {
    class Old extends Array<number> {}
    const methods: Record<string, unknown> = {};
    provideFindLast(methods);
    Object.defineProperties(Old.prototype, Object.getOwnPropertyDescriptors(methods));
    const old = Old.from([1, 4, 6, 7]);
    const isEven = (value: number) => value % 2 === 0;
    expect([old.findLast(isEven), old.findLastIndex(isEven)]).to.deep.equal([6, 2]);
    expect([old.findLast((value) => value > 9), old.findLastIndex((value) => value > 9)]).to.deep.equal([
      undefined,
      -1,
    ]);
    expect(Object.keys(methods), 'not enumerable').to.deep.equal([]);
  });
});
