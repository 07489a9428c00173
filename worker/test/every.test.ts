import { memoryLogger } from '@dune-tide/testkit/log';
import { openOutage } from '@dune-tide/platform/outage';
import { expect } from 'chai';
import { every } from '../src/delivery/every.ts';

const unavailable = new Error('The database is unavailable.');

describe('a task that a worker repeats', () => {
  it('does not run again if the worker closes during the pause after a failure', async () => {
    const closing = new AbortController();
    const { logger, lines } = memoryLogger();
    let runs = 0;
    await every({
      task: () => {
        runs++;
        return Promise.reject(unavailable);
      },
      failure: 'not run',
      retryMs: 1,
      logger,
      closing: closing.signal,
      wait: async () => closing.abort(),
    });
    expect(runs).to.equal(1);
    expect(lines().map(({ msg }) => msg)).to.deep.equal(['not run']);
  });

  it('learns for a while after an outage that other workers may still have to write outcomes', async () => {
    const closing = new AbortController();
    const { logger, lines } = memoryLogger();
    const clock = performance.now.bind(performance);
    let passed = 0;
    const runs: boolean[] = [];
    performance.now = () => clock() + passed;
    try {
      await every({
        async task(isAfterOutage) {
          runs.push(isAfterOutage);
          if (runs.length === 2) throw unavailable;
          if (runs.length === 4) passed = 60_000;
          if (runs.length === 5) closing.abort();
          return 1;
        },
        failure: 'not run',
        retryMs: 7,
        logger,
        closing: closing.signal,
        wait: async () => undefined,
      });
    } finally {
      performance.now = clock;
    }
    expect(runs).to.deep.equal([false, false, true, true, false]);
    expect(lines().map(({ msg }) => msg)).to.deep.equal(['not run']);
  });

  it('waits for the end of an outage of the database, which is logged once', async () => {
    const closing = new AbortController();
    const { logger, lines } = memoryLogger();
    const outage = openOutage({ part: 'database', address: 'db.example:5432', logger });
    const runs: boolean[] = [];
    await every({
      async task(isAfterOutage) {
        runs.push(isAfterOutage);
        if (runs.length > 1) closing.abort();
        else {
          outage.failed(unavailable);
          setImmediate(() => outage.worked());
          throw unavailable;
        }
        return 1;
      },
      failure: 'not run',
      retryMs: 1,
      outage,
      logger,
      closing: closing.signal,
    });
    expect(runs).to.deep.equal([false, true]);
    expect(lines().map(({ level, msg }) => [level, msg])).to.deep.equal([
      ['warn', 'The database db.example:5432 is unavailable.'],
      ['debug', 'not run'],
      ['info', 'The database db.example:5432 is available again.'],
    ]);
  });
});
