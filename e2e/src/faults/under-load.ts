import type { Load } from './load.ts';
import { until } from '@dune-tide/testkit/until';
import type { Scene } from './fault.ts';

/** Waits until that many more visitors were taken in. */
export async function takesIn(load: Load, more: number): Promise<void> {
  const before = load.taken();
  await until(`${more} more visitors are taken in`, () => load.taken() >= before + more);
}

/**
 * Disturbs and repairs while visitors come, and lets them come until mails flow by themselves again.
 * @param pauseMs - between two visitors, of eight at once
 */
export async function underLoad(scene: Scene, disturb: (load: Load) => Promise<void>, pauseMs = 200): Promise<void> {
  const load = scene.load({ requests: 100_000, pause: pauseMs });
  await takesIn(load, 20);
  await disturb(load);
  const { smtp } = scene.system;
  const mailed = smtp.accepted.length;
  await takesIn(load, 20);
  await until('mails flow again', () => smtp.accepted.length >= mailed + 10);
  load.stop();
  await load.done;
}
