import { expect } from 'chai';
import { postPortfolioRequests } from '@dune-tide/e2e/support/load';
import { drained, judge } from '@dune-tide/e2e/support/oracle';
import { startTestRedis, type TestRedis } from '@dune-tide/e2e/support/redis';
import { prepareSystem, workerConcurrency, type RunningSystem } from '@dune-tide/e2e/support/running-system';
import { until } from '@dune-tide/e2e/support/until';

const requests = 200;
/** So many mails are out when the worker dies. */
const before = 60;

/** Where the sends under way are when the worker dies. */
const moments = ['before the body', 'after the body, before the answer', 'anywhere'] as const;

for (const backend of ['PostgreSQL', 'Redis'] as const) {
  describe(`a worker that is killed while ${requests} portfolio requests come in, queue on ${backend}`, function () {
    this.timeout(120_000);
    let redis: TestRedis | undefined;
    let system: RunningSystem;

    beforeEach(async () => {
      redis = backend === 'Redis' ? await startTestRedis() : undefined;
      system = await prepareSystem({ redisUrl: redis?.url });
    });

    afterEach(async () => {
      await system.stop();
      await redis?.stop();
    });

    for (const moment of moments) {
      it(`killed ${moment}: 200 leads, 200 mails, no doubles but cut ones`, async () => {
        const { database, smtp } = system;
        await system.startApi();
        const worker = await system.startWorker();
        const isReached = (): boolean => smtp.accepted.length >= before;
        let held = 0;
        const hold = (): Promise<undefined> | undefined => {
          if (!isReached()) return undefined;
          held++;
          return new Promise(() => undefined);
        };
        if (moment === 'before the body') smtp.script.onRecipient = hold;
        if (moment === 'after the body, before the answer') smtp.script.onBody = hold;

        const load = postPortfolioRequests(system.url, requests);
        // With every send held, what was accepted before is settled: nothing can be mailed twice.
        const isInTheMiddle = (): boolean => (moment === 'anywhere' ? isReached() : held === workerConcurrency);
        await until('the worker is in the middle of it', isInTheMiddle, 60);
        worker.signal('SIGKILL');
        await worker.ended;
        smtp.script = {};

        const cut = new Set(await database('follow_ups').where({ state: 'sending' }).pluck<string[]>('message_id'));
        const answers = await load;
        expect(answers.map(({ status }) => status)).to.deep.equal(Array.from({ length: requests }, () => 201));

        // Instead of waiting for the dead worker's leases and the delays to run out.
        await database('follow_ups')
          .whereIn('state', ['pending', 'sending'])
          .update({ available_at: database.fn.now(), sweep_at: database.fn.now() });
        await system.startWorker();
        await drained(database, requests, 60);
        const leadIds = answers.map(({ id }) => id ?? '');
        const { doubles } = await judge(database, smtp, { leadIds, followUpsPerLead: 1, cut });
        if (moment !== 'anywhere') expect(doubles, 'nothing was accepted from the dead worker').to.equal(0);
      });
    }
  });
}
