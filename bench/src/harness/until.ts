import { setTimeout as pause } from 'node:timers/promises';

/** Rarely enough to take nothing from what is measured. @throws when it is not there in time */
export async function until(what: string, seconds: number, isThere: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + seconds * 1_000;
  while (!(await isThere())) {
    if (performance.now() > deadline) throw new Error(`Not within ${seconds} s: ${what}`);
    await pause(200);
  }
}
