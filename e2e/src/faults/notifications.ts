import { randomUUID } from 'node:crypto';
import { leadWork } from '@dune-tide/db/leads';
import { brand } from '@dune-tide/domain/brand';
import { until } from '@dune-tide/testkit/until';
import { bothBackends, type Fault, type Scene } from './fault.ts';
import { allSent, killSender } from './sending.ts';

const visitors = 20;
const address = 'thabo@studio.example';

/** Stores leads whose emails are sent, and gives them to an account an hour ago, so that its email is due. */
async function giveLeads(scene: Scene): Promise<void> {
  const { database } = scene.system;
  await scene.load({ requests: visitors }).done;
  const worker = await scene.system.startWorker();
  await allSent(scene);
  await worker.stop();
  const member = (username: string) => {
    return { id: randomUUID(), username, name: username, email: address, password_hash: '$argon2id$v=19$x' };
  };
  const [noura, thabo] = [member('noura'), member('thabo')];
  await database('staff').insert([noura, thabo]);
  const ids = await database('leads').pluck<string[]>('id');
  await leadWork(database, brand.mailDomain).changeTogether(ids, { ownerId: thabo.id }, noura, () => []);
  await database('lead_notifications').update({ created_at: database.raw(`created_at - interval '1 hour'`) });
}

/** Waits until the email is sent. @throws if it does not list every lead or if there is another one */
async function expectOneEmail({ system: { database, smtp } }: Scene): Promise<void> {
  const rows = () =>
    database('follow_ups').where({ kind: 'lead_notification' }).select<{ id: string; state: string }[]>('id', 'state');
  await until('the email is marked sent', async () => (await rows()).some(({ state }) => state === 'sent'));
  const [first, ...others] = await rows();
  const listed = await database('lead_notifications')
    .where({ follow_up_id: first?.id ?? '' })
    .pluck<string[]>('lead_id');
  const leads = await database('leads').pluck<string[]>('id');
  if (others.length > 0) throw new Error(`${others.length + 1} emails instead of one`);
  if (listed.length !== leads.length) throw new Error(`${listed.length} of ${leads.length} leads are listed`);
  const texts = await Promise.all(
    smtp.accepted.filter(({ to }) => to === address).map(async (mail) => (await smtp.parse(mail)).text ?? ''),
  );
  if (!texts.every((text) => leads.every((id) => text.includes(id)))) throw new Error('The email lacks a lead');
}

const killedAt = (moment: 'before' | 'after'): Fault => ({
  name: `worker killed ${moment} the body of a notification`,
  backends: bothBackends,
  workers: 0,
  async run(scene) {
    await giveLeads(scene);
    await killSender(scene, moment);
    await scene.system.startWorker();
    await expectOneEmail(scene);
  },
});

export const notificationFaults: readonly Fault[] = [
  {
    name: 'worker killed while it writes a notification',
    backends: bothBackends,
    workers: 0,
    async run(scene) {
      const { database } = scene.system;
      await giveLeads(scene);
      const holder = await database.transaction();
      await holder('lead_notifications').forUpdate().select('id');
      const worker = await scene.system.startWorker();
      await until('it waits for the leads', async () => {
        const { rows } = await database.raw<{ rows: unknown[] }>(
          `select from pg_stat_activity
           where wait_event_type = 'Lock' and query like '%lead_notifications%' and datname = current_database()`,
        );
        return rows.length > 0;
      });
      await scene.killWorker(worker);
      await holder.rollback();
      await scene.system.startWorker();
      await expectOneEmail(scene);
    },
  },
  killedAt('before'),
  killedAt('after'),
  {
    name: '4 workers with a notification that is due while the mail server is down',
    backends: bothBackends,
    workers: 0,
    async run(scene) {
      const { smtp } = scene.system;
      await giveLeads(scene);
      await smtp.goAway();
      const workers = await Promise.all(Array.from({ length: 4 }, () => scene.system.startWorker()));
      await until('the email is written', async () => {
        const [written] = await scene.system.database('follow_ups').where({ kind: 'lead_notification' });
        return written !== undefined;
      });
      for (const worker of workers.slice(1)) await worker.stop();
      await smtp.comeBack();
      await scene.system.startWorker();
      await expectOneEmail(scene);
    },
  },
];
