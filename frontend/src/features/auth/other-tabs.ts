/** Among the tabs of a browser, which share the session. */
const channel = new BroadcastChannel('session');

const listeners = new Set<() => void>();

/** Nobody listens while the tab shows a page of the public site. */
let isMissed = false;

channel.addEventListener('message', () => {
  isMissed = listeners.size === 0;
  for (const listener of listeners) listener();
});

/** Says to the other tabs that somebody has signed in or out. */
export function tellOtherTabs(): void {
  channel.postMessage(undefined);
}

/**
 * Listens to whether somebody signs in or out in another tab; told at once where that was while nobody listened.
 * @returns ends it
 */
export function onOtherTab(listener: () => void): () => void {
  listeners.add(listener);
  if (isMissed) {
    isMissed = false;
    listener();
  }
  return () => void listeners.delete(listener);
}
