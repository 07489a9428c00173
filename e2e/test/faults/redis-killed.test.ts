import { expect } from 'chai';
import { postPortfolioRequests } from '@dune-tide/e2e/support/load';
import { drained, judge } from '@dune-tide/e2e/support/oracle';
import { startTestRedis } from '@dune-tide/e2e/support/redis';
import { prepareSystem } from '@dune-tide/e2e/support/running-system';
import { until } from '@dune-tide/e2e/support/until';

const requests = 200;

describe('Redis, killed under load and restarted empty', function () {
  this.timeout(120_000);

  for (const alsoKillWorker of [false, true]) {
    it(`loses no lead and no mail${alsoKillWorker ? ', the worker killed as well' : ''}`, async () => {
      let redis = await startTestRedis();
      const system = await prepareSystem({ redisUrl: redis.url });
      try {
        const { database, smtp } = system;
        await system.startApi();
        const worker = await system.startWorker();

        const load = postPortfolioRequests(system.url, requests);
        await until('mails go out', () => smtp.accepted.length >= 40, 60);
        await redis.kill();
        if (alsoKillWorker) {
          worker.signal('SIGKILL');
          await worker.ended;
        }
        const cut = new Set(await database('follow_ups').where({ state: 'sending' }).pluck<string[]>('message_id'));
        const answers = await load;
        expect(answers.map(({ status }) => status)).to.deep.equal(Array.from({ length: requests }, () => 201));

        redis = await startTestRedis(redis.port);
        if (alsoKillWorker) {
          await database('follow_ups')
            .where({ state: 'sending' })
            .update({ available_at: database.fn.now(), sweep_at: database.fn.now() });
          await system.startWorker();
        }
        // Instead of waiting until the sweep looks again at rows whose jobs the old Redis had.
        await database('follow_ups').where({ state: 'pending' }).update({ sweep_at: database.fn.now() });
        await drained(database, requests, 60);
        const leadIds = answers.map(({ id }) => id ?? '');
        await judge(database, smtp, { leadIds, followUpsPerLead: 1, cut: alsoKillWorker ? cut : new Set() });
      } finally {
        await system.stop();
        await redis.stop();
      }
    });
  }
});
