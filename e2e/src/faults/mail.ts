import type { SmtpReply, SmtpScript } from '@dune-tide/testkit/smtp';
import { makeDue } from './oracle.ts';
import { until } from '@dune-tide/testkit/until';
import { bothBackends, type Fault, type Scene } from './fault.ts';

const visitors = 40;

/** A behaviour of the mail server that lasts for a number of sends. */
interface Trouble {
  readonly script: (scene: Scene) => SmtpScript;
  /** Whether a send counts as an attempt. */
  readonly usesChances: boolean;
}

const refusal = (code: number): SmtpReply => ({ code, text: 'Not now' });

/** Waits until the workers have released this many emails; each is made due immediately. */
async function givenBack({ workers, system }: Scene, count: number): Promise<void> {
  let nextPush = 0;
  await until(`${count} emails are released`, async () => {
    if (performance.now() > nextPush) {
      nextPush = performance.now() + 1_000;
      await makeDue(system.database);
    }
    return workers.reduce((sum, worker) => sum + (worker.output().match(/"not sent"/g) ?? []).length, 0) >= count;
  });
}

/** Waits until the workers know that the mail server is unavailable and hold no email. */
async function isKnown({ workers, system: { database } }: Scene): Promise<void> {
  await until('the outage is known', () => workers.some((worker) => worker.output().includes('The mail server ')));
  await until('all emails wait', async () => {
    const [held] = await database('follow_ups').where({ state: 'sending' }).count('* as count');
    return Number(held?.['count']) === 0;
  });
}

/** Checks that no unsent email has used an attempt. @throws if one has, or has failed */
async function expectNoChanceUsed({ system: { database } }: Scene): Promise<void> {
  const [used] = await database('follow_ups')
    .whereRaw(`state = 'failed' or (state = 'pending' and attempts > 0)`)
    .count('* as count');
  if (Number(used?.['count']) > 0) throw new Error(`${String(used?.['count'])} rows used an attempt or failed`);
}

const temporary = (name: string, trouble: Trouble): Fault => ({
  name,
  backends: bothBackends,
  async run(scene) {
    const { smtp } = scene.system;
    smtp.script = trouble.script(scene);
    await scene.load({ requests: visitors }).done;
    if (trouble.usesChances) await givenBack(scene, 2 * visitors);
    else {
      await isKnown(scene);
      await expectNoChanceUsed(scene);
    }
    smtp.script = {};
  },
});

/** Rejects the emails to some visitors permanently. */
function refuseSome(scene: Scene): (address: string) => SmtpReply | undefined {
  return (address) => {
    const isRefused = /^visitor-\d*[048]@/.test(address);
    if (isRefused) scene.refused.add(address);
    return isRefused ? refusal(550) : undefined;
  };
}

const permanent = (name: string, script: (scene: Scene) => SmtpScript): Fault => ({
  name,
  backends: bothBackends,
  async run(scene) {
    scene.system.smtp.script = script(scene);
    await scene.load({ requests: visitors }).done;
    const { database } = scene.system;
    await until('the rejected emails have failed', async () => {
      const [left] = await database('follow_ups').whereIn('state', ['pending', 'sending']).count('* as count');
      return Number(left?.['count']) === 0;
    });
    const [again] = await database('follow_ups')
      .where({ state: 'failed' })
      .andWhere('attempts', '>', 1)
      .count('* as count');
    if (Number(again?.['count']) > 0) throw new Error(`${String(again?.['count'])} rejected emails were retried`);
  },
});

export const mailFaults: readonly Fault[] = [
  {
    name: 'mail server refuses connections for a long time',
    backends: bothBackends,
    async run(scene) {
      const { smtp } = scene.system;
      await smtp.goAway();
      await scene.load({ requests: visitors }).done;
      await isKnown(scene);
      await expectNoChanceUsed(scene);
      await smtp.comeBack();
    },
  },
  {
    name: 'no greeting',
    backends: bothBackends,
    limitSeconds: 180,
    async run(scene) {
      const { smtp } = scene.system;
      smtp.script = { onConnect: () => new Promise(() => undefined) };
      await scene.load({ requests: 10 }).done;
      await isKnown(scene);
      await expectNoChanceUsed(scene);
      smtp.script = {};
    },
  },
  temporary('450 for the recipient (greylisting)', {
    script: () => ({ onRecipient: () => refusal(450) }),
    usesChances: true,
  }),
  temporary('451 for the sender', { script: () => ({ onMail: () => refusal(451) }), usesChances: false }),
  permanent('550 for the recipient', (scene) => ({ onRecipient: refuseSome(scene) })),
  temporary('451 after the body', { script: () => ({ onBody: () => refusal(451) }), usesChances: true }),
  permanent('554 after the body', (scene) => {
    const refuse = refuseSome(scene);
    return { onBody: ({ to }) => refuse(to) };
  }),
  temporary('dropped at MAIL', { script: () => ({ onMail: () => 'drop' }), usesChances: false }),
  {
    name: 'dropped at DATA',
    backends: bothBackends,
    through: ['mail'],
    async run(scene) {
      scene.mailProxy.rules = {
        // DATA may arrive in one chunk with the commands before it (RFC 2920).
        judge: (chunk, direction) =>
          direction === 'to server' && /(^|\r\n)DATA\r\n$/.test(chunk.toString('latin1')) ? 'drop' : 'pass',
      };
      await scene.load({ requests: visitors }).done;
      await isKnown(scene);
      await expectNoChanceUsed(scene);
      scene.mailProxy.rules = {};
    },
  },
  {
    name: 'dropped after the last dot',
    backends: bothBackends,
    inTests: 'PostgreSQL',
    async run(scene) {
      const { smtp } = scene.system;
      smtp.script = {
        onBody({ messageId }) {
          if (scene.cut.has(messageId)) return undefined;
          scene.cut.add(messageId);
          return 'drop';
        },
      };
      await scene.load({ requests: visitors }).done;
      await givenBack(scene, 2 * visitors);
    },
  },
  {
    name: 'response delayed by 200 s',
    backends: ['PostgreSQL'],
    limitSeconds: 300,
    async run(scene) {
      const { smtp } = scene.system;
      smtp.script = { onBody: () => new Promise((resolve) => setTimeout(() => resolve(undefined), 200_000)) };
      const load = scene.load({ requests: 5 });
      await load.done;
      await until('all emails were accepted', () => smtp.accepted.length >= 10, 260);
    },
  },
  {
    name: 'credentials refused',
    backends: bothBackends,
    mailServer: { credentials: { user: 'studio', password: 'right' } },
    async run(scene) {
      const { smtp } = scene.system;
      smtp.script = { credentials: { user: 'studio', password: 'changed' } };
      await scene.load({ requests: visitors }).done;
      await isKnown(scene);
      await expectNoChanceUsed(scene);
      smtp.script = { credentials: { user: 'studio', password: 'right' } };
    },
  },
];
