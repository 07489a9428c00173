/**
 * Aborts after a time; `AbortSignal.timeout` is newer than the oldest browsers.
 * @param time - in milliseconds
 */
export function timeoutSignal(time: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), time);
  return controller.signal;
}
