import { until } from '@dune-tide/testkit/until';
import { bothBackends, type Fault, type Scene } from './fault.ts';

const visitors = 30;

interface Webhook {
  readonly id: string;
  readonly leadId: string;
  readonly state: string;
}

async function webhooksOf({ system: { database } }: Scene): Promise<readonly Webhook[]> {
  return database('follow_ups').where({ kind: 'webhook' }).select<Webhook[]>('id', 'lead_id as leadId', 'state');
}

/**
 * Waits until every webhook is sent.
 * @param allowed - how often a webhook may have arrived, by id; once if it is missing
 * @throws if a lead has no `lead.created` or several, or if one was lost or doubled
 */
async function expectWebhooks(scene: Scene, allowed: ReadonlyMap<string, number>): Promise<void> {
  const { receiver, system } = scene;
  await until(
    'every webhook is sent',
    async () => {
      await system
        .database('follow_ups')
        .where({ kind: 'webhook', state: 'pending' })
        .update({ available_at: system.database.fn.now() });
      return (await webhooksOf(scene)).every(({ state }) => state === 'sent');
    },
    undefined,
    500,
  );
  const rows = await webhooksOf(scene);
  const leads = await system.database('leads').pluck<string[]>('id');
  const reported = new Set(rows.map(({ leadId }) => leadId));
  if (rows.length !== leads.length || leads.some((id) => !reported.has(id))) {
    throw new Error(`${rows.length} webhooks for ${leads.length} leads`);
  }
  const copies = new Map<string, number>();
  for (const { id } of receiver.received) copies.set(id, (copies.get(id) ?? 0) + 1);
  const lost = rows.filter(({ id }) => !copies.has(id));
  if (lost.length > 0) throw new Error(`${lost.length} webhooks are marked sent and have not arrived`);
  const doubled = [...copies].filter(([id, count]) => count > (allowed.get(id) ?? 1));
  if (doubled.length > 0) throw new Error(`${doubled.length} webhooks arrived too often`);
}

/** Returns how often each webhook has arrived, and once more, because no response has accepted it. */
function onceMore({ receiver }: Scene): ReadonlyMap<string, number> {
  const allowed = new Map<string, number>();
  for (const { id } of receiver.received) allowed.set(id, (allowed.get(id) ?? 1) + 1);
  return allowed;
}

const areHeld = async ({ receiver }: Scene): Promise<void> => {
  await until('webhooks are being sent', () => receiver.received.length > 0);
};

export const webhookFaults: readonly Fault[] = [
  {
    name: 'worker killed while it posts webhooks',
    backends: bothBackends,
    workers: 0,
    webhooks: true,
    inTests: 'PostgreSQL',
    async run(scene) {
      const { receiver, system } = scene;
      const respond = receiver.respond;
      receiver.respond = () => undefined;
      await scene.load({ requests: visitors }).done;
      const worker = await system.startWorker();
      await areHeld(scene);
      await scene.killWorker(worker);
      const held = onceMore(scene);
      receiver.respond = respond;
      await system
        .database('follow_ups')
        .where({ state: 'sending' })
        .update({ available_at: system.database.fn.now() });
      await system.startWorker();
      await expectWebhooks(scene, held);
    },
  },
  {
    name: 'receiver that breaks connections before it responds',
    backends: bothBackends,
    webhooks: true,
    async run(scene) {
      const { receiver } = scene;
      const respond = receiver.respond;
      receiver.respond = (response) => response.destroy();
      await scene.load({ requests: visitors }).done;
      await until('some connections are broken', () => receiver.received.length >= 5);
      const broken = onceMore(scene);
      receiver.respond = respond;
      await expectWebhooks(scene, broken);
    },
  },
  {
    name: 'API killed after it stored leads with webhooks',
    backends: bothBackends,
    webhooks: true,
    async run(scene) {
      const load = scene.load({ requests: visitors });
      await until('leads are stored', async () => (await webhooksOf(scene)).length > 5);
      const [api] = scene.apis;
      if (!api) throw new Error('No API');
      await scene.kill(api);
      scene.apis[0] = await scene.system.startApi(api.url);
      await load.done;
      await expectWebhooks(scene, new Map());
    },
  },
  {
    name: 'database restarted while webhooks are posted',
    backends: bothBackends,
    cluster: [],
    webhooks: true,
    async run(scene) {
      const { receiver } = scene;
      const respond = receiver.respond;
      let letGo = (): void => undefined;
      const released = new Promise<void>((resolve) => (letGo = resolve));
      receiver.respond = async (response, webhook) => {
        await released;
        return respond(response, webhook);
      };
      await scene.load({ requests: visitors }).done;
      await areHeld(scene);
      await scene.cluster.stop('fast');
      await scene.cluster.start();
      const held = onceMore(scene);
      letGo();
      await expectWebhooks(scene, held);
    },
  },
];
