import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import { batched } from '../src/connection/batched.ts';
import { DatabaseUnavailableError } from '../src/connection/unavailable.ts';

const patient = { concurrency: 2, maxBatchSize: 100, slowAfterMs: 60_000, maxWaitMs: 60_000 };

/** Returns a `write` function whose statements end when the test ends them. */
function statements() {
  const started: {
    readonly items: readonly string[];
    readonly end: () => void;
    readonly fail: (error: Error) => void;
  }[] = [];
  return {
    started,
    items: () => started.map(({ items }) => items),
    write: (items: readonly string[]): Promise<readonly string[]> =>
      new Promise((resolve, reject) => {
        started.push({ items, end: () => resolve(items.map((item) => `${item} is written`)), fail: reject });
      }),
  };
}

/** Resolves after all callbacks that do not wait for a statement have run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => expect.fail(`resolved with ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
}

describe('a batched write', () => {
  it('writes items that arrive together with one statement', async () => {
    const { started, items, write } = statements();
    const put = batched(write, patient);
    const results = Promise.all(['a', 'b'].map(put));
    await settled();
    expect(items()).to.deep.equal([['a', 'b']]);
    started[0]?.end();
    expect(await results).to.deep.equal(['a is written', 'b is written']);
  });

  it('writes the first items immediately, and collects the rest into one statement', async () => {
    const { started, items, write } = statements();
    const put = batched(write, patient);
    const results: Promise<string>[] = [];
    for (const item of ['a', 'b', 'c', 'd', 'e']) {
      results.push(put(item));
      await settled();
    }
    expect(items()).to.deep.equal([['a'], ['b']]);
    started[0]?.end();
    await settled();
    expect(items()).to.deep.equal([['a'], ['b'], ['c', 'd', 'e']]);
    for (const each of started) each.end();
    expect(await Promise.all(results)).to.deep.equal(['a', 'b', 'c', 'd', 'e'].map((item) => `${item} is written`));
  });

  it('sends the next statement before it delivers the results of the previous one', async () => {
    const order: string[] = [];
    const { started, write } = statements();
    const put = batched(
      (items: readonly string[]) => {
        order.push(`send ${items.join()}`);
        return write(items);
      },
      { ...patient, concurrency: 1 },
    );
    const told = (item: string) => put(item).then(() => order.push(`tell ${item}`));
    const first = Promise.all([told('a'), told('b')]);
    await settled();
    const second = told('c');
    started[0]?.end();
    await first;
    started[1]?.end();
    await second;
    expect(order).to.deep.equal(['send a,b', 'send c', 'tell a', 'tell b', 'tell c']);
  });

  it('writes an item immediately after all earlier statements have ended', async () => {
    const { started, items, write } = statements();
    const put = batched(write, { ...patient, concurrency: 1 });
    const first = put('a');
    await settled();
    started[0]?.end();
    await first;
    void put('b');
    await settled();
    expect(items()).to.deep.equal([['a'], ['b']]);
  });

  it('limits the number of items in a statement', async () => {
    const { started, items, write } = statements();
    const put = batched(write, { ...patient, concurrency: 1, maxBatchSize: 2 });
    const first = put('a');
    await settled();
    const results = Promise.all([first, ...['b', 'c', 'd'].map(put)]);
    for (let statement = 0; statement < 3; statement++) {
      started[statement]?.end();
      await settled();
    }
    expect(items()).to.deep.equal([['a'], ['b', 'c'], ['d']]);
    await results;
  });

  it('does not block other items behind a statement that does not end', async () => {
    const { started, items, write } = statements();
    const put = batched(write, { ...patient, concurrency: 1, slowAfterMs: 20 });
    const stuck = put('stuck');
    await settled();
    const other = put('other');
    await until('the other is sent', () => started.length === 2);
    expect(items()).to.deep.equal([['stuck'], ['other']]);
    started[1]?.end();
    expect(await other).to.equal('other is written');
    // The late end of the slow statement must not allow a second extra statement.
    started[0]?.end();
    await stuck;
    await settled();
    void put('c');
    await settled();
    void put('d');
    await settled();
    expect(items().slice(2)).to.deep.equal([['c']]);
  });

  it('rejects an item that waited too long, and writes the others', async () => {
    const { started, items, write } = statements();
    const put = batched(write, { ...patient, concurrency: 1, maxWaitMs: 20 });
    const first = put('first');
    await settled();
    const late = failure(put('late'));
    const since = performance.now();
    await until('it has waited too long', () => performance.now() > since + 20);
    const fresh = put('fresh');
    started[0]?.end();
    expect(await first).to.equal('first is written');
    expect(await late).to.be.instanceOf(DatabaseUnavailableError);
    await settled();
    expect(items()).to.deep.equal([['first'], ['fresh']]);
    started[1]?.end();
    expect(await fresh).to.equal('fresh is written');
  });

  it('writes items one by one after an error of the statement, so that only the invalid one fails', async () => {
    const fault = new Error('a faulty row');
    const tried: (readonly string[])[] = [];
    const put = batched(
      async (items: readonly string[]) => {
        tried.push(items);
        await settled();
        if (items.includes('faulty')) throw fault;
        return items;
      },
      { ...patient, concurrency: 1 },
    );
    const before = put('first');
    await Promise.resolve();
    const [first, good, faulty, better] = await Promise.allSettled([before, ...['good', 'faulty', 'better'].map(put)]);
    expect(tried).to.deep.equal([['first'], ['good', 'faulty', 'better'], ['good'], ['faulty'], ['better']]);
    expect([first, good, better]).to.deep.equal(
      ['first', 'good', 'better'].map((value) => ({ status: 'fulfilled', value })),
    );
    expect(faulty).to.deep.equal({ status: 'rejected', reason: fault });
  });

  it('rejects the remaining items if an outage occurs while items are written one by one', async () => {
    const { started, items, write } = statements();
    const put = batched(write, { ...patient, concurrency: 1 });
    void put('first');
    await settled();
    const good = put('good');
    const failures = Promise.all([failure(put('faulty')), failure(put('better'))]);
    started[0]?.end();
    await settled();
    started[1]?.fail(new Error('a faulty row'));
    await settled();
    started[2]?.end();
    expect(await good).to.equal('good is written');
    await settled();
    const outage = new DatabaseUnavailableError(new Error('away'));
    started[3]?.fail(outage);
    expect(await failures).to.deep.equal([outage, outage]);
    expect(items()).to.deep.equal([['first'], ['good', 'faulty', 'better'], ['good'], ['faulty']]);
  });

  it('does not write an item by itself if it has waited too long', async () => {
    const { started, items, write } = statements();
    const put = batched(write, { ...patient, concurrency: 1, maxWaitMs: 20 });
    const one = failure(put('one'));
    const other = failure(put('other'));
    await settled();
    const since = performance.now();
    await until('they have waited too long', () => performance.now() > since + 20);
    started[0]?.fail(new Error('a faulty row'));
    expect(await one).to.be.instanceOf(DatabaseUnavailableError);
    expect(await other).to.be.instanceOf(DatabaseUnavailableError);
    expect(items()).to.deep.equal([['one', 'other']]);
  });

  it('writes nothing again after an outage, because the items may have been written', async () => {
    const { started, items, write } = statements();
    const put = batched(write, { ...patient, concurrency: 1 });
    void put('first');
    await settled();
    const failures = Promise.all([failure(put('a')), failure(put('b'))]);
    started[0]?.end();
    await settled();
    const outage = new DatabaseUnavailableError(new Error('away'));
    started[1]?.fail(outage);
    expect(await failures).to.deep.equal([outage, outage]);
    expect(items()).to.deep.equal([['first'], ['a', 'b']]);
  });
});
