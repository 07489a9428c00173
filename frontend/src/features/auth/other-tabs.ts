/** Connects the tabs of a browser, which share the session. */
const channel = openChannel();

const listeners = new Set<() => void>();

/** True if a message arrived without a listener, which is the case on the pages of the public site. */
let isMissed = false;

channel?.addEventListener('message', () => {
  isMissed = listeners.size === 0;
  for (const listener of listeners) listener();
});

/** Notifies the other tabs that a user has signed in or out. */
export function tellOtherTabs(): void {
  channel?.postMessage(undefined);
}

/**
 * Registers a listener for sign-ins and logouts in other tabs. Calls it immediately if one happened while there was no
 * listener.
 * @returns a function that removes the listener
 */
export function onOtherTab(listener: () => void): () => void {
  listeners.add(listener);
  if (isMissed) {
    isMissed = false;
    listener();
  }
  return () => void listeners.delete(listener);
}

/** @returns undefined if the browser blocks it, which happens if cookies and storage are blocked */
function openChannel(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel('session');
  } catch {
    return undefined;
  }
}
