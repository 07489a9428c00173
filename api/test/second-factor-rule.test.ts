import { connectDatabase } from '@dune-tide/db/connection';
import { migrations } from '@dune-tide/db/schema';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { memoryLogger } from '@dune-tide/testkit/log';
import { addAccount } from '@dune-tide/testkit/staff-accounts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { logSecondFactorRule } from '../src/auth/second-factor-rule.ts';

describe('the log of each start', () => {
  let database: Knex;
  // Before the hook that drops the database, which would otherwise run first.
  after(() => database.destroy());
  const test = withTestDatabase();
  before(() => {
    database = connectDatabase({ url: test().appUrl, applicationName: 'api', poolSize: 2 });
  });

  function start(requiresSecondFactor?: boolean) {
    const { logger, lines } = memoryLogger();
    const rule = logSecondFactorRule({ database, logger, requiresSecondFactor, retryMs: 10 });
    return { rule, said: () => lines().map(({ decidedBy, msg }) => ({ decidedBy, msg })) };
  }
  const decided = (decidedBy: string, isRequired: boolean) => [
    { decidedBy, msg: `second factors are ${isRequired ? 'required of all accounts' : 'optional'}` },
  ];

  it('says whether second factors are required, and what decides it', async () => {
    await addAccount(test().database);
    for (const isRequired of [true, false]) {
      await test().database('staff').update({ requires_second_factor: isRequired });
      const started = start();
      await until('the line', () => started.said().length > 0);
      expect(started.said()).to.deep.equal(decided('the oldest account', isRequired));
      expect(start(!isRequired).said()).to.deep.equal(decided('REQUIRE_SECOND_FACTOR', !isRequired));
    }
    await test().database('staff').delete();
    const early = start();
    await until('the line', () => early.said().length > 0);
    expect(early.said()[0]?.msg).to.equal('the first account will decide whether second factors are required');
  });

  it('says so when the migration has run, and nothing if the API ends before', async () => {
    await addAccount(test().database);
    const ledger = test()
      .database('schema_migrations')
      .where({ name: migrations.at(-1)?.name });
    const [last] = await ledger.clone().select<Record<string, unknown>[]>();
    await ledger.clone().delete();
    const waiting = start();
    const ended = start();
    await ended.rule.close();
    expect(waiting.said()).to.deep.equal([]);
    await test().database('schema_migrations').insert(last);
    await until('the line', () => waiting.said().length > 0);
    expect(waiting.said()).to.deep.equal(decided('the oldest account', false));
    await waiting.rule.close();
    expect(ended.said()).to.deep.equal([]);
  });
});
