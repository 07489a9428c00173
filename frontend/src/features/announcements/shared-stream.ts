import { runInOneTab } from './one-tab.ts';
import { type Announcement, openStream } from './stream.ts';

const name = 'announcements';

/** A page that is hidden for longer, in milliseconds, closes its stream until it is shown again. */
const maxHiddenTime = 10 * 60_000;

/**
 * Receives the announcements while the page is open (docs/PRODUCT.md, "Announcements").
 * @returns a function that ends it
 */
export function listen(onAnnouncement: (announcement: Announcement) => void): () => void {
  let stop: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    stop?.();
    stop = undefined;
  };
  const start = () => {
    // When the user is signed out, the stream ends silently, because opening the sign-in page could lose typed text.
    stop ??= shareStream(onAnnouncement, end);
  };
  const follow = () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(end, maxHiddenTime);
    else start();
  };
  start();
  follow();
  document.addEventListener('visibilitychange', follow);
  return () => {
    document.removeEventListener('visibilitychange', follow);
    clearTimeout(timer);
    end();
  };
}

/**
 * Shares one stream among the tabs of a browser, which allows only six connections to a server without HTTP/2. One tab
 * receives the events and passes them on. When it ends, another one takes over.
 */
function shareStream(onAnnouncement: (announcement: Announcement) => void, onSignedOut: () => void): () => void {
  const channel = openChannel();
  let latest: Announcement | undefined;
  const receive = () =>
    openStream((announcement) => {
      latest = announcement;
      channel?.postMessage(announcement);
      onAnnouncement(announcement);
    }, onSignedOut);

  if (!channel) return receive();
  channel.addEventListener('message', ({ data }: MessageEvent<Announcement | null>) => {
    if (data !== null) onAnnouncement(data);
    // A new tab asks for the current numbers.
    else if (latest) channel.postMessage(latest);
  });
  channel.postMessage(null);
  const leave = runInOneTab(name, receive);
  return () => {
    leave();
    channel.close();
  };
}

/** @returns undefined if the user's settings block it together with cookies and storage */
function openChannel(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(name);
  } catch {
    return undefined;
  }
}
