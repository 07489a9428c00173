import { until } from '@dune-tide/testkit/until';
import { bothBackends, redisOnly, type Fault, type Scene } from './fault.ts';
import { staffEmail } from './running-system.ts';
import { allSent, killSender } from './sending.ts';

const visitors = 20;

/** Stores leads, and moves the time of the contact messages so that they are due soon. */
async function storeLeadsDueSoon(scene: Scene): Promise<void> {
  await scene.load({ requests: visitors }).done;
  await age(scene, 21);
}

/** Sets the age of the contact messages, in hours, and moves all reminders an hour into the past. */
async function age({ system: { database } }: Scene, hours: number): Promise<void> {
  await database('leads')
    .where({ kind: 'contact' })
    .update({ created_at: database.raw('now() - make_interval(hours => ?)', [hours]) });
  await database('follow_ups')
    .where({ kind: 'reminder' })
    .update({
      created_at: database.raw(`created_at - interval '61 minutes'`),
      sent_at: database.raw(`sent_at - interval '61 minutes'`),
    });
}

/** Waits until the reminders of these stages are sent. @throws if a lead has no reminder or there is an extra one */
async function expectReminders({ system: { database, smtp } }: Scene, stages: readonly string[]): Promise<void> {
  await until(`${stages.length} reminders are written`, async () => {
    const [written] = await database('follow_ups').where({ kind: 'reminder' }).count('* as count');
    return Number(written?.['count']) >= stages.length;
  });
  const rows = await database('follow_ups')
    .where({ kind: 'reminder' })
    .select<{ message_id: string; recipient: string }[]>('message_id', 'recipient');
  await until('they are sent', () => {
    const sent = new Set(smtp.accepted.map(({ messageId }) => messageId));
    return rows.every(({ message_id: messageId }) => sent.has(messageId));
  });
  if (rows.length !== stages.length || rows.some(({ recipient }) => recipient !== staffEmail)) {
    throw new Error(`${rows.length} reminders instead of ${stages.length}`);
  }
  const leads = await database('leads').where({ kind: 'contact' }).pluck<string[]>('id');
  for (const stage of stages) {
    const reminded = await database('lead_reminders').where({ stage }).pluck<string[]>('lead_id');
    if (reminded.length !== leads.length)
      throw new Error(`${reminded.length} of ${leads.length} leads have a reminder as ${stage}`);
  }
}

const killedAt = (moment: 'before' | 'after'): Fault => ({
  name: `worker killed ${moment} the body of a reminder`,
  backends: bothBackends,
  workers: 0,
  async run(scene) {
    await scene.load({ requests: visitors }).done;
    const first = await scene.system.startWorker();
    await allSent(scene);
    await first.stop();
    await age(scene, 21);
    await killSender(scene, moment);
    await scene.system.startWorker();
    await expectReminders(scene, ['soon']);
  },
});

export const reminderFaults: readonly Fault[] = [
  {
    name: 'worker killed while it writes a reminder',
    backends: bothBackends,
    workers: 0,
    inTests: 'PostgreSQL',
    async run(scene) {
      const { database } = scene.system;
      await storeLeadsDueSoon(scene);
      const holder = await database.transaction();
      await holder.raw('lock table lead_reminders in share mode');
      const worker = await scene.system.startWorker();
      await until('it has written the reminder but not its leads', async () => {
        const { rows } = await database.raw<{ rows: unknown[] }>(
          `select from pg_locks where relation = 'lead_reminders'::regclass and not granted`,
        );
        return rows.length > 0;
      });
      await scene.killWorker(worker);
      await holder.rollback();
      await scene.system.startWorker();
      await expectReminders(scene, ['soon']);
    },
  },
  {
    name: 'worker killed after it wrote a reminder that it could not queue',
    backends: redisOnly,
    workers: 0,
    withoutRedis: true,
    async run(scene) {
      await storeLeadsDueSoon(scene);
      const worker = await scene.system.startWorker();
      await until('the reminder is not queued', () => worker.output().includes('reminders not queued'), 60);
      await scene.killWorker(worker);
      await scene.redis.start();
      await scene.system.startWorker();
      await expectReminders(scene, ['soon']);
    },
  },
  killedAt('before'),
  killedAt('after'),
  {
    name: '4 workers with leads that are due soon, then overdue',
    backends: bothBackends,
    workers: 0,
    async run(scene) {
      await storeLeadsDueSoon(scene);
      const workers = await Promise.all(Array.from({ length: 4 }, () => scene.system.startWorker()));
      await expectReminders(scene, ['soon']);
      await allSent(scene);
      await age(scene, 25);
      for (const worker of workers) await worker.stop();
      await Promise.all(Array.from({ length: 4 }, () => scene.system.startWorker()));
      await expectReminders(scene, ['soon', 'overdue']);
    },
  },
];
