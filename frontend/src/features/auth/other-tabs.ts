/** Among the tabs of a browser, which share the session. */
const channel = new BroadcastChannel('session');

/** Says to the other tabs that somebody has signed in or out. */
export function tellOtherTabs(): void {
  channel.postMessage(undefined);
}

/**
 * Listens to whether somebody signs in or out in another tab.
 * @returns ends it
 */
export function onOtherTab(listener: () => void): () => void {
  channel.addEventListener('message', listener);
  return () => channel.removeEventListener('message', listener);
}
