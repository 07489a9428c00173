import { memoryLogger } from '@dune-tide/testkit/log';
import { expect } from 'chai';
import { every } from '../src/delivery/every.ts';

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
});
