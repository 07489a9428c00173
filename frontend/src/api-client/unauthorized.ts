const listeners = new Set<() => void>();

/** Says that a call was refused for lack of a session. */
export function announceUnauthorized(): void {
  for (const listener of listeners) listener();
}

/**
 * Listens to calls that are refused for lack of a session, whoever made them.
 * @returns ends it
 */
export function onUnauthorized(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
