import { PassThrough, type Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { noMarks, type Announcement, type LeadMarks } from '@dune-tide/db/leads';
import { announcements as limits } from '@dune-tide/domain/limits';
import { describeError, type Logger } from '@dune-tide/platform/log';

export interface AnnouncementSources {
  /** Reads the numbers that are announced. */
  readonly read: () => Promise<Announcement>;
  /** Reads the marks of accounts, by the id of the account. */
  readonly marksOf: (staffIds: readonly string[]) => Promise<ReadonlyMap<string, LeadMarks>>;
  /** Returns those of the sessions that have not ended, without prolonging them. */
  readonly liveSessions: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
  readonly logger: Logger;
}

/** The number of streams and the pauses of the queries, in milliseconds. */
export type AnnouncementLimits = Readonly<Record<keyof typeof limits, number>>;

export interface Announcements {
  /**
   * Opens a stream of server-sent events.
   * @param reader.sessionId - the stream ends when this session has ended
   * @param reader.id - the account whose marks are announced
   * @returns undefined if the process or the session has too many streams, or the process is closing
   */
  open(reader: { readonly id: string; readonly sessionId: string }): Readable | undefined;
  /** Ends all streams. */
  close(): Promise<void>;
}

interface Page {
  readonly stream: PassThrough;
  readonly sessionId: string;
  readonly staffId: string;
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
  { read, marksOf, liveSessions, logger }: AnnouncementSources,
  { connections, perSession, intervalMs, sessionCheckMs }: AnnouncementLimits = limits,
): Announcements {
  const pages = new Set<Page>();
  const closing = new AbortController();
  let watching: Promise<void> | undefined;
  /** The latest event of each account with an open page. */
  let latest: ReadonlyMap<string, string> = new Map();
  /** Ends the pause, for the page of another account or at the end. */
  let wake: AbortController | undefined;
  let hasFailed = false;

  function end(page: Page): void {
    pages.delete(page);
    page.stream.end();
  }

  /** @returns whether the page of another account was opened while the numbers were read */
  async function announce(): Promise<boolean> {
    let isMissing = false;
    try {
      const staffIds = [...new Set([...pages].map(({ staffId }) => staffId))];
      // While the database is unavailable, one query is enough to find out.
      const first = hasFailed ? await read() : undefined;
      const [announcement, marks] = await Promise.all([first ?? read(), marksOf(staffIds)]);
      const eventOf = (id: string): string =>
        `data: ${JSON.stringify({ ...announcement, marked: marks.get(id) ?? noMarks })}\n\n`;
      latest = new Map(staffIds.map((id) => [id, eventOf(id)]));
      for (const page of pages) {
        const event = latest.get(page.staffId);
        if (event === undefined) {
          isMissing = true;
          continue;
        }
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
    return isMissing;
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
      if (!hasFailed && performance.now() >= checkedAt + sessionCheckMs) {
        checkedAt = performance.now();
        await endSignedOut();
      }
      if (await announce()) continue;
      if (closing.signal.aborted) break;
      wake = new AbortController();
      await pause(intervalMs, undefined, { signal: wake.signal }).catch(() => undefined);
      wake = undefined;
    }
    watching = undefined;
    latest = new Map();
  }

  return {
    open({ id: staffId, sessionId }) {
      const ofSession = [...pages].filter((page) => page.sessionId === sessionId);
      const isFull = pages.size >= connections || ofSession.length >= perSession;
      if (closing.signal.aborted || isFull) return undefined;
      const event = latest.get(staffId);
      const page: Page = { stream: new PassThrough(), sessionId, staffId, sent: event ?? '' };
      pages.add(page);
      page.stream.once('close', () => pages.delete(page));
      page.stream.write(`retry: ${reconnectMs}\n\n${event ?? ''}`);
      if (event === undefined) wake?.abort();
      watching ??= watch();
      return page.stream;
    },
    async close() {
      closing.abort();
      wake?.abort();
      for (const page of pages) end(page);
      await watching;
    },
  };
}
