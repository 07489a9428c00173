import { takeLog } from '@dune-tide/testkit/recent-log';
import { config } from 'chai';
import fc from 'fast-check';

// The report shows only the messages, so they must not be truncated.
config.truncateThreshold = 0;
// Mocha does not report the cause of an error, which is the failed assertion of a property.
fc.configureGlobal({ includeErrorInReport: true });

/** Mocha's root hooks: they print the log of each failed test, which the report shows. */
export const mochaHooks: Mocha.RootHookObject = {
  afterEach(this: Mocha.Context) {
    const log = takeLog();
    if (this.currentTest?.state === 'failed') process.stdout.write(`${JSON.stringify(['log', log])}\n`);
  },
};
