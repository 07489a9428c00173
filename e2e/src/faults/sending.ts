import { until } from '@dune-tide/testkit/until';
import type { Scene } from './fault.ts';

/** Holds every send at one step after this many emails were accepted. */
export function hold(
  { system }: Scene,
  step: 'onRecipient' | 'onBody',
  after = 0,
): { readonly held: () => number; readonly letGo: () => void } {
  let held = 0;
  let letGo = (): void => undefined;
  const released = new Promise<undefined>((resolve) => (letGo = () => resolve(undefined)));
  system.smtp.script = {
    [step]: () => {
      if (system.smtp.accepted.length < after) return undefined;
      held++;
      return released;
    },
  };
  return { held: () => held, letGo };
}

/** Starts a worker and kills it while the mail server holds its email. All other emails must have been sent before. */
export async function killSender(scene: Scene, moment: 'before' | 'after'): Promise<void> {
  const { held, letGo } = hold(scene, moment === 'before' ? 'onRecipient' : 'onBody');
  const worker = await scene.system.startWorker();
  await until('the email is being sent', () => held() > 0);
  await scene.killWorker(worker, moment === 'before' ? 'before the body' : undefined);
  letGo();
  scene.system.smtp.script = {};
}

/** Waits until every follow-up is marked sent, so that none of them is in progress. */
export async function allSent({ system: { database } }: Scene): Promise<void> {
  await until('all follow-ups are marked sent', async () => {
    const [unsent] = await database('follow_ups').whereNot({ state: 'sent' }).count('* as count');
    return Number(unsent?.['count']) === 0;
  });
}
