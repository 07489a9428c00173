/**
 * Returns a signal that aborts after a time. The oldest supported browsers lack `AbortSignal.timeout`.
 * @param time - in milliseconds
 */
export function timeoutSignal(time: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), time);
  return controller.signal;
}
