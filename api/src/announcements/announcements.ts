import { PassThrough, type Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { Announcement } from '@dune-tide/db/leads';
import { announcements as limits } from '@dune-tide/domain/limits';
import { describeError, type Logger } from '@dune-tide/platform/log';

export interface AnnouncementSources {
  /** Reads the numbers that are announced. */
  readonly read: () => Promise<Announcement>;
  /** Returns those of the sessions that have not ended, without prolonging them. */
  readonly liveSessions: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
  readonly logger: Logger;
}

/** The number of streams and the pauses of the queries, in milliseconds. */
export type AnnouncementLimits = Readonly<Record<keyof typeof limits, number>>;

export interface Announcements {
  /**
   * Opens a stream of server-sent events.
   * @param sessionId - the stream ends when this session has ended
   * @returns undefined if the process or the session has too many streams, or the process is closing
   */
  open(sessionId: string): Readable | undefined;
  /** Ends all streams. */
  close(): Promise<void>;
}

interface Page {
  readonly stream: PassThrough;
  readonly sessionId: string;
  /** The last event that was sent. */
  sent: string;
}

/** If a page has left more than this many bytes unread, it is disconnected; its browser connects again. */
const maxUnreadBytes = 64 * 1024;
/** The time in milliseconds after which a browser connects again. */
const reconnectMs = 5_000;

/**
 * Announces new leads to the open staff pages of this process (docs/PRODUCT.md, "Announcements"). One query serves all
 * of them, and none runs while no page is open. A change is announced after `intervalMs` at most.
 */
export function openAnnouncements(
  { read, liveSessions, logger }: AnnouncementSources,
  { connections, perSession, intervalMs, sessionCheckMs }: AnnouncementLimits = limits,
): Announcements {
  const pages = new Set<Page>();
  const closing = new AbortController();
  let watching: Promise<void> | undefined;
  let latest = '';
  let hasFailed = false;

  function end(page: Page): void {
    pages.delete(page);
    page.stream.end();
  }

  async function announce(): Promise<void> {
    try {
      const event = `data: ${JSON.stringify(await read())}\n\n`;
      latest = event;
      for (const page of pages) {
        // A comment keeps the connection open.
        page.stream.write(page.sent === event ? ':\n\n' : event);
        page.sent = event;
      }
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) logger.warn({ error: describeError(error) }, 'nothing announced');
      hasFailed = true;
      for (const { stream } of pages) stream.write(':\n\n');
    }
    for (const { stream } of pages) if (stream.writableLength > maxUnreadBytes) stream.destroy();
  }

  async function endSignedOut(): Promise<void> {
    try {
      const live = await liveSessions([...new Set([...pages].map(({ sessionId }) => sessionId))]);
      for (const page of pages) if (!live.has(page.sessionId)) end(page);
    } catch (error) {
      logger.warn({ error: describeError(error) }, 'sessions of open pages not checked');
    }
  }

  async function watch(): Promise<void> {
    let checkedAt = performance.now();
    while (pages.size > 0 && !closing.signal.aborted) {
      if (performance.now() >= checkedAt + sessionCheckMs) {
        checkedAt = performance.now();
        await endSignedOut();
      }
      await announce();
      await pause(intervalMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
    watching = undefined;
    latest = '';
  }

  return {
    open(sessionId) {
      const ofSession = [...pages].filter((page) => page.sessionId === sessionId);
      const isFull = pages.size >= connections || ofSession.length >= perSession;
      if (closing.signal.aborted || isFull) return undefined;
      const page: Page = { stream: new PassThrough(), sessionId, sent: latest };
      pages.add(page);
      page.stream.once('close', () => pages.delete(page));
      page.stream.write(`retry: ${reconnectMs}\n\n${latest}`);
      watching ??= watch();
      return page.stream;
    },
    async close() {
      closing.abort();
      for (const page of pages) end(page);
      await watching;
    },
  };
}
