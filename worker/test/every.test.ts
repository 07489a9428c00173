import { memoryLogger } from '@dune-tide/testkit/log';
import { expect } from 'chai';
import { settleRetryMs } from '../src/delivery/deliver.ts';
import { afterOutageMs, every } from '../src/delivery/every.ts';

describe('a task that a worker repeats', () => {
  it('does not run again if the worker closes during the pause after an outage', async () => {
    const closing = new AbortController();
    const { logger, lines } = memoryLogger();
    let runs = 0;
    await every({
      task: () => {
        runs++;
        return Promise.reject(new Error('The database is unavailable.'));
      },
      failure: 'not run',
      retryMs: 0,
      check: async () => closing.abort(),
      logger,
      closing: closing.signal,
    });
    expect(runs).to.equal(1);
    expect(lines().map(({ msg }) => msg)).to.deep.equal(['not run']);
  });

  it('runs again after an outage only when workers had the time to write their outcomes', async () => {
    const closing = new AbortController();
    const { logger, lines } = memoryLogger();
    const steps: (string | number)[] = [];
    let isAvailable = false;
    const unavailable = new Error('The database is unavailable.');
    await every({
      async task() {
        steps.push('task');
        if (!isAvailable) throw unavailable;
        closing.abort();
        return 9;
      },
      failure: 'not run',
      retryMs: 7,
      async check() {
        steps.push('check');
        if (isAvailable) return;
        isAvailable = true;
        throw unavailable;
      },
      logger,
      closing: closing.signal,
      wait: async (milliseconds) => void steps.push(milliseconds),
    });
    expect(steps).to.deep.equal(['task', 7, 'check', 7, 'check', afterOutageMs, 'task', 9]);
    expect(afterOutageMs, 'time for two attempts to write an outcome').to.be.at.least(2 * settleRetryMs);
    expect(lines().map(({ msg }) => msg)).to.deep.equal(['not run', 'not run']);
  });
});
