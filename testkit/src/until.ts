import { setTimeout as pause } from 'node:timers/promises';

/** Ends a wait that would never end. Generous, because a busy machine takes many times as long as an idle one. */
export const hangLimitSeconds = 120;

/**
 * Asks until the answer is there.
 * @param ask - returns `undefined` or `false` while it is not
 * @param seconds - only for what may take longer than `hangLimitSeconds`
 * @param pauseMs - between two questions
 * @throws when the time is over
 */
export async function until<Answer>(
  what: string,
  ask: () => Promise<Answer | undefined | false> | Answer | undefined | false,
  seconds = hangLimitSeconds,
  pauseMs = 25,
): Promise<Answer> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > deadline) throw new Error(`Not within ${seconds} s: ${what}`);
    await pause(pauseMs);
  }
}
