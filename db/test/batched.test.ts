import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import { batched } from '../src/batched.ts';
import { DatabaseUnavailableError } from '../src/unavailable.ts';

const patient = { concurrency: 2, maxBatchSize: 100, slowAfterMs: 60_000, maxWaitMs: 60_000 };

/** Statements that end when the test says so. */
function statements() {
  const begun: {
    readonly items: readonly string[];
    readonly end: () => void;
    readonly fail: (error: Error) => void;
  }[] = [];
  return {
    begun,
    items: () => begun.map(({ items }) => items),
    write: (items: readonly string[]): Promise<readonly string[]> =>
      new Promise((resolve, reject) => {
        begun.push({ items, end: () => resolve(items.map((item) => `${item} is written`)), fail: reject });
      }),
  };
}

/** Until all that can go on without a statement's end went on. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => expect.fail(`resolved with ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
}

describe('a batched write', () => {
  it('takes what comes at one moment into one statement', async () => {
    const { begun, items, write } = statements();
    const put = batched(write, patient);
    const results = Promise.all(['a', 'b'].map(put));
    await settled();
    expect(items()).to.deep.equal([['a', 'b']]);
    begun[0]?.end();
    expect(await results).to.deep.equal(['a is written', 'b is written']);
  });

  it('begins at once for each of the first, and collects the rest into one statement', async () => {
    const { begun, items, write } = statements();
    const put = batched(write, patient);
    const results: Promise<string>[] = [];
    for (const item of ['a', 'b', 'c', 'd', 'e']) {
      results.push(put(item));
      await settled();
    }
    expect(items()).to.deep.equal([['a'], ['b']]);
    begun[0]?.end();
    await settled();
    expect(items()).to.deep.equal([['a'], ['b'], ['c', 'd', 'e']]);
    for (const each of begun) each.end();
    expect(await Promise.all(results)).to.deep.equal(['a', 'b', 'c', 'd', 'e'].map((item) => `${item} is written`));
  });

  it('sends what waits before it tells the results of what was under way', async () => {
    const order: string[] = [];
    const { begun, write } = statements();
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
    begun[0]?.end();
    await first;
    begun[1]?.end();
    await second;
    expect(order).to.deep.equal(['send a,b', 'send c', 'tell a', 'tell b', 'tell c']);
  });

  it('begins at once again when everything before it is over', async () => {
    const { begun, items, write } = statements();
    const put = batched(write, { ...patient, concurrency: 1 });
    const first = put('a');
    await settled();
    begun[0]?.end();
    await first;
    void put('b');
    await settled();
    expect(items()).to.deep.equal([['a'], ['b']]);
  });

  it('takes so many at most into one statement', async () => {
    const { begun, items, write } = statements();
    const put = batched(write, { ...patient, concurrency: 1, maxBatchSize: 2 });
    const first = put('a');
    await settled();
    const results = Promise.all([first, ...['b', 'c', 'd'].map(put)]);
    for (let statement = 0; statement < 3; statement++) {
      begun[statement]?.end();
      await settled();
    }
    expect(items()).to.deep.equal([['a'], ['b', 'c'], ['d']]);
    await results;
  });

  it('holds nobody up behind a statement that does not end', async () => {
    const { begun, items, write } = statements();
    const put = batched(write, { ...patient, concurrency: 1, slowAfterMs: 20 });
    const stuck = put('stuck');
    await settled();
    const other = put('other');
    await until('the other is sent', () => begun.length === 2);
    expect(items()).to.deep.equal([['stuck'], ['other']]);
    begun[1]?.end();
    expect(await other).to.equal('other is written');
    // Its late end makes no room twice.
    begun[0]?.end();
    await stuck;
    await settled();
    void put('c');
    await settled();
    void put('d');
    await settled();
    expect(items().slice(2)).to.deep.equal([['c']]);
  });

  it('writes nothing that waited too long, and goes on with the rest', async () => {
    const { begun, items, write } = statements();
    const put = batched(write, { ...patient, concurrency: 1, maxWaitMs: 20 });
    const first = put('first');
    await settled();
    const late = failure(put('late'));
    const since = performance.now();
    await until('it has waited too long', () => performance.now() > since + 20);
    const fresh = put('fresh');
    begun[0]?.end();
    expect(await first).to.equal('first is written');
    expect(await late).to.be.instanceOf(DatabaseUnavailableError);
    await settled();
    expect(items()).to.deep.equal([['first'], ['fresh']]);
    begun[1]?.end();
    expect(await fresh).to.equal('fresh is written');
  });

  it('writes each by itself after a fault of the statement, so that only the faulty one fails', async () => {
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

  it('asks no more for the rest when an outage comes while each is written by itself', async () => {
    const { begun, items, write } = statements();
    const put = batched(write, { ...patient, concurrency: 1 });
    void put('first');
    await settled();
    const good = put('good');
    const failures = Promise.all([failure(put('faulty')), failure(put('better'))]);
    begun[0]?.end();
    await settled();
    begun[1]?.fail(new Error('a faulty row'));
    await settled();
    begun[2]?.end();
    expect(await good).to.equal('good is written');
    await settled();
    const outage = new DatabaseUnavailableError(new Error('away'));
    begun[3]?.fail(outage);
    expect(await failures).to.deep.equal([outage, outage]);
    expect(items()).to.deep.equal([['first'], ['good', 'faulty', 'better'], ['good'], ['faulty']]);
  });

  it('writes nothing by itself that waited too long meanwhile', async () => {
    const { begun, items, write } = statements();
    const put = batched(write, { ...patient, concurrency: 1, maxWaitMs: 20 });
    const one = failure(put('one'));
    const other = failure(put('other'));
    await settled();
    const since = performance.now();
    await until('they have waited too long', () => performance.now() > since + 20);
    begun[0]?.fail(new Error('a faulty row'));
    expect(await one).to.be.instanceOf(DatabaseUnavailableError);
    expect(await other).to.be.instanceOf(DatabaseUnavailableError);
    expect(items()).to.deep.equal([['one', 'other']]);
  });

  it('tries nothing again after an outage: what is written then is unknown', async () => {
    const { begun, items, write } = statements();
    const put = batched(write, { ...patient, concurrency: 1 });
    void put('first');
    await settled();
    const failures = Promise.all([failure(put('a')), failure(put('b'))]);
    begun[0]?.end();
    await settled();
    const outage = new DatabaseUnavailableError(new Error('away'));
    begun[1]?.fail(outage);
    expect(await failures).to.deep.equal([outage, outage]);
    expect(items()).to.deep.equal([['first'], ['a', 'b']]);
  });
});
