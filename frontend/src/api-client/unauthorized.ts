const listeners = new Set<() => void>();

/** Notifies the listeners that a call failed because the user is not signed in. */
export function announceUnauthorized(): void {
  for (const listener of listeners) listener();
}

/**
 * Registers a listener for calls that fail because the user is not signed in.
 * @returns a function that removes the listener
 */
export function onUnauthorized(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
