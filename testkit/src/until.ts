import { setTimeout as pause } from 'node:timers/promises';

/** The limit for a wait that hangs. It is generous, because a busy machine takes many times as long as an idle one. */
export const hangLimitSeconds = 120;

/**
 * Calls a function until it returns a result.
 * @param what - the expected condition, for the error
 * @param ask - returns `undefined` or `false` until the result is available
 * @param seconds - only for a wait that may take longer than `hangLimitSeconds`
 * @param pauseMs - milliseconds between two calls
 * @throws if the time limit has passed
 */
export async function until<Result>(
  what: string,
  ask: () => Promise<Result | undefined | false> | Result | undefined | false,
  seconds = hangLimitSeconds,
  pauseMs = 25,
): Promise<Result> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const result = await ask();
    if (result !== undefined && result !== false) return result;
    if (performance.now() > deadline) throw new Error(`Not within ${seconds} s: ${what}`);
    await pause(pauseMs);
  }
}
