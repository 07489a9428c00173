import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { addAccount } from '@dune-tide/testkit/staff-accounts';
import { startTestProxy } from '@dune-tide/testkit/proxy';
import { until } from '@dune-tide/testkit/until';
import { untilAvailable } from './database.ts';
import { bothBackends, type Fault, type Scene } from './fault.ts';
import { hold } from './sending.ts';

const visitors = 20;
const settings = { STAFF_REPLIES: 'mail' };

/** Staff calls of one member. */
export interface Staff {
  /** @returns the status; undefined if no response arrived */
  post(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<number | undefined>;
}

/** Signs a new member in. @throws if the sign-in fails */
export async function signIn(database: Knex, url: string): Promise<Staff> {
  const { username, password } = await addAccount(database);
  const signedIn = await send(url, '/login', { username, password });
  if (!signedIn?.ok) throw new Error(`The sign-in returned ${String(signedIn?.status)}`);
  const cookie = signedIn.headers.getSetCookie().map((each) => each.split(';')[0]);
  return {
    post: async (path, body, headers) =>
      (await send(url, path, body, { Cookie: cookie.join('; '), ...headers }))?.status,
  };
}

async function send(
  url: string,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response | undefined> {
  try {
    const isEmpty = body === undefined;
    return await fetch(new URL(`/api/admin${path}`, url), {
      method: 'POST',
      headers: { ...(isEmpty ? {} : { 'Content-Type': 'application/json' }), ...headers },
      ...(isEmpty ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    });
  } catch {
    return undefined;
  }
}

const urlOf = ({ apis }: Scene): string => apis[0]?.url ?? '';

interface ReplyRow {
  readonly id: string;
  readonly leadId: string;
}

const rowsOf = ({ system: { database } }: Scene): Promise<ReplyRow[]> =>
  database('follow_ups').where({ kind: 'reply' }).orderBy('id').select<ReplyRow[]>({ id: 'id', leadId: 'lead_id' });

const undoPath = ({ id, leadId }: ReplyRow): string => `/leads/${leadId}/replies/${id}/undo`;
const written = { subject: 'Re: Your film', text: 'Hello Noura,\n\nyes, we can.' };

/** Stores leads, and a reply to each. */
async function writeReplies(scene: Scene, staff: Staff): Promise<readonly ReplyRow[]> {
  await scene.load({ requests: visitors }).done;
  const leads = await scene.system.database('leads').pluck<string[]>('id');
  for (const id of leads) expectStatus(await staff.post(`/leads/${id}/replies`, written), 201);
  return rowsOf(scene);
}

function expectStatus(status: number | undefined, wanted: number): void {
  if (status !== wanted) throw new Error(`Responded with ${String(status)} instead of ${wanted}`);
}

const makeDue = ({ system: { database } }: Scene): Promise<unknown> =>
  database('follow_ups')
    .where({ kind: 'reply', state: 'pending' })
    .update({ available_at: database.fn.now(), sweep_at: database.fn.now() });

/** Waits until every reply is sent or withdrawn, and checks that the mail server got exactly those that were not undone. */
async function expectSentOrUndone(scene: Scene, undone: ReadonlySet<string>): Promise<void> {
  const { database, smtp } = scene.system;
  await makeDue(scene);
  await until('every reply is sent or undone', async () => {
    const open = await database('follow_ups').where({ kind: 'reply' }).whereNotIn('state', ['sent', 'cancelled']);
    return open.length === 0;
  });
  for (const { id, leadId } of await rowsOf(scene)) {
    const isMailed = smtp.accepted.some(({ messageId }) => messageId.startsWith(`<${id}@`));
    if (isMailed === undone.has(id)) throw new Error(`The reply ${id} was ${isMailed ? 'sent and undone' : 'lost'}`);
    const lead = await database('leads').where({ id: leadId }).first<{ answered_at: Date | null }>();
    if (isMailed && lead.answered_at === null) throw new Error(`The lead ${leadId} is not answered`);
  }
}

export const replyFaults: readonly Fault[] = [
  {
    name: 'worker killed within the 10 seconds of a reply',
    backends: bothBackends,
    settings,
    async run(scene) {
      const staff = await signIn(scene.system.database, urlOf(scene));
      const rows = await writeReplies(scene, staff);
      for (const worker of scene.workers) await scene.killWorker(worker);
      const undone = rows.filter((_, index) => index % 2 === 0);
      for (const row of undone) expectStatus(await staff.post(undoPath(row)), 200);
      await scene.system.startWorker();
      await expectSentOrUndone(scene, new Set(undone.map(({ id }) => id)));
    },
  },
  {
    name: 'undo of replies while 2 workers claim them',
    backends: bothBackends,
    settings,
    workers: 2,
    inTests: 'Redis',
    async run(scene) {
      const staff = await signIn(scene.system.database, urlOf(scene));
      const rows = await writeReplies(scene, staff);
      await makeDue(scene);
      const undone = new Set<string>();
      let refused = 0;
      // One after the other, so that the workers claim the rows in the meantime.
      for (const row of rows) {
        const status = await staff.post(undoPath(row));
        if (status === 200) undone.add(row.id);
        else {
          expectStatus(status, 409);
          refused += 1;
        }
      }
      if (undone.size + refused !== rows.length) throw new Error('An undo is missing');
      await expectSentOrUndone(scene, undone);
    },
  },
  {
    name: 'worker killed while it sends replies',
    backends: bothBackends,
    settings,
    async run(scene) {
      const staff = await signIn(scene.system.database, urlOf(scene));
      const rows = await writeReplies(scene, staff);
      await scene.mailed(2 * visitors);
      const { held, letGo } = hold(scene, 'onRecipient');
      await makeDue(scene);
      await until('replies are being sent', () => held() > 0);
      const [worker] = scene.workers;
      if (!worker) throw new Error('No worker');
      await scene.killWorker(worker, 'before the body');
      letGo();
      scene.system.smtp.script = {};
      const undone = new Set<string>();
      for (const row of rows) if ((await staff.post(undoPath(row))) === 200) undone.add(row.id);
      await scene.system.startWorker();
      await expectSentOrUndone(scene, undone);
    },
  },
  {
    name: 'api killed after it committed a reply, before its response',
    backends: bothBackends,
    settings,
    async run(scene) {
      const { database } = scene.system;
      await scene.load({ requests: visitors }).done;
      const [api] = scene.apis;
      if (!api) throw new Error('No API');
      const proxy = await startTestProxy(api.url);
      try {
        const staff = await signIn(scene.system.database, proxy.instead(api.url));
        const [leadId = ''] = await database('leads').pluck<string[]>('id');
        const headers = { 'Idempotency-Key': randomUUID() };
        const post = () => staff.post(`/leads/${leadId}/replies`, written, headers);
        proxy.rules = { judge: (_, direction) => (direction === 'to client' ? 'stall' : 'pass') };
        const posted = post();
        await until('the reply is committed', async () => (await rowsOf(scene)).length === 1);
        await scene.kill(api);
        proxy.rules = {};
        proxy.dropStalled();
        if ((await posted) !== undefined) throw new Error('The response arrived');
        scene.apis[0] = await scene.system.startApi(api.url);
        expectStatus(await post(), 201);
        if ((await rowsOf(scene)).length !== 1) throw new Error('The reply is stored twice');
        await expectSentOrUndone(scene, new Set());
      } finally {
        await proxy.close();
      }
    },
  },
  {
    name: 'database stopped at the undo of a reply',
    backends: bothBackends,
    settings,
    cluster: [],
    async run(scene) {
      const { database } = scene.system;
      const staff = await signIn(scene.system.database, urlOf(scene));
      const rows = await writeReplies(scene, staff);
      const [first] = rows;
      if (!first) throw new Error('No reply');
      await scene.cluster.stop('immediate');
      expectStatus(await staff.post(undoPath(first)), 503);
      await scene.cluster.start();
      await untilAvailable(database);
      const undone = new Set<string>();
      for (const row of rows) {
        const status = await until('the API responds', async () => {
          const code = await staff.post(undoPath(row));
          return code === 503 ? undefined : code;
        });
        if (status === 200) undone.add(row.id);
        else expectStatus(status, 409);
      }
      await expectSentOrUndone(scene, undone);
    },
  },
  {
    name: 'reply to the COMMIT of an undo dropped',
    backends: bothBackends,
    settings,
    through: ['database'],
    async run(scene) {
      const staff = await signIn(scene.system.database, urlOf(scene));
      const rows = await writeReplies(scene, staff);
      const [first] = rows;
      if (!first) throw new Error('No reply');
      scene.databaseProxy.rules = {
        judge(chunk, direction, memory) {
          const text = chunk.toString('latin1');
          if (direction === 'to server') {
            if (text.includes('update lead_replies set withdrawn_at')) memory['undoes'] = true;
            if (memory['undoes'] === true && text.includes('COMMIT')) memory['drops'] = true;
            return 'pass';
          }
          return memory['drops'] === true ? 'drop' : 'pass';
        },
      };
      expectStatus(await staff.post(undoPath(first)), 503);
      scene.databaseProxy.rules = {};
      const undone = new Set<string>();
      for (const row of rows) if ((await staff.post(undoPath(row))) === 200) undone.add(row.id);
      if (!undone.has(first.id)) throw new Error('The repeated undo did not return the reply');
      await expectSentOrUndone(scene, undone);
    },
  },
];
