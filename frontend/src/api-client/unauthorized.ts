const listeners = new Set<() => void>();

/** Notifies the listeners that a call failed because there is no session. */
export function announceUnauthorized(): void {
  for (const listener of listeners) listener();
}

/**
 * Registers a listener for calls that fail because there is no session.
 * @returns a function that removes the listener
 */
export function onUnauthorized(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
