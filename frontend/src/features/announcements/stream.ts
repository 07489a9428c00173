import type { announcementResponse } from '@dune-tide/domain/responses/dashboard';
import type { Json } from '@dune-tide/domain/responses/schema';
import { requestTimeout } from '../../api-client/request-timeout.ts';
import { timeoutSignal } from '../../api-client/timeout-signal.ts';

type Announced = Json<typeof announcementResponse>;

/**
 * The current numbers of leads and of failed emails, and the marks of the account (docs/PRODUCT.md, "Announcements"). A
 * server of 0.3.0 sends no marks.
 */
export type Announcement = Omit<Announced, 'marked'> & Partial<Pick<Announced, 'marked'>>;

const address = '/api/admin/events';

/** The pause before the first reconnection, in milliseconds. Each failure doubles it, up to `lastPause`. */
const firstPause = 5_000;
const lastPause = 5 * 60_000;

/**
 * Receives the server-sent events and reconnects after a failure. Each further failure makes the pause longer.
 * @param onSignedOut - called once if the user is not signed in; the stream has ended then
 * @returns a function that closes the stream
 */
export function openStream(onEvent: (event: Announcement) => void, onSignedOut: () => void): () => void {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let isClosed = false;

  const connect = () => {
    source = new EventSource(address);
    source.addEventListener('message', ({ data }: MessageEvent<string>) => {
      failures = 0;
      onEvent(JSON.parse(data) as Announcement);
    });
    source.addEventListener('error', () => {
      // Otherwise the browser would reconnect every few seconds.
      source.close();
      void connectLater();
    });
  };

  const connectLater = async () => {
    const pause = Math.min(firstPause * 2 ** failures, lastPause);
    failures += 1;
    const hasSession = await isSignedIn();
    if (isClosed) return;
    // A random part, so that the open pages do not all reconnect at the same time after an outage.
    if (hasSession) timer = setTimeout(connect, pause * (0.75 + Math.random() / 2));
    else onSignedOut();
  };

  connect();
  return () => {
    isClosed = true;
    clearTimeout(timer);
    source.close();
  };
}

/** Returns false for a 401 only. An event source does not reveal the status of its response. */
async function isSignedIn(): Promise<boolean> {
  try {
    const { status } = await fetch(address, {
      method: 'HEAD',
      credentials: 'include',
      signal: timeoutSignal(requestTimeout),
    });
    return status !== 401;
  } catch {
    // Without a connection, the session may still exist.
    return true;
  }
}
