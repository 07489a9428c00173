import type { Load } from './load.ts';
import { until } from '@dune-tide/testkit/until';
import type { Scene } from './fault.ts';

/** Waits until this many more visitors got a 201. */
export async function takesIn(load: Load, more: number): Promise<void> {
  const before = load.taken();
  await until(`${more} more visitors get a 201`, () => load.taken() >= before + more);
}

/**
 * Disturbs the system and repairs it while visitors post. The load continues until emails are sent again without help.
 * @param pauseMs - milliseconds between the starts of two groups of concurrent visitors
 */
export async function underLoad(scene: Scene, disturb: (load: Load) => Promise<void>, pauseMs = 200): Promise<void> {
  const load = scene.load({ requests: 100_000, pause: pauseMs });
  await takesIn(load, 20);
  await disturb(load);
  const { smtp } = scene.system;
  const mailed = smtp.accepted.length;
  await takesIn(load, 20);
  await until('emails are sent again', () => smtp.accepted.length >= mailed + 10);
  load.stop();
  await load.done;
}
