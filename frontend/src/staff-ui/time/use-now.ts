import { useSyncExternalStore } from 'react';
import { serverNow } from '../../api-client/server-clock.ts';

const minute = 60_000;

let now = serverNow();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function tick(): void {
  now = serverNow();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = serverNow();
    timer = setInterval(tick, minute);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

/** Returns the time by the server's clock, in milliseconds since the epoch, and renders again each minute. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now);
