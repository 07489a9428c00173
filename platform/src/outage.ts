import { describeCause } from '@dune-tide/domain/outages';
import { codeOfReply, describeError, type Logger } from './log.ts';
import { codeOf } from './system-error.ts';

/*
 * The outage of a part that this process uses: the mail server, the receiver of webhooks, Redis or PostgreSQL. While it
 * lasts, the process tries the part in one place only, every 3 to 4 seconds, and all other work waits for the result
 * (docs/PRODUCT.md, "Outages"). The part is in one of two states:
 *
 *   available → out   A use of the part has failed. With `isConfirmed`, a try follows immediately, and only its failure
 *                     is logged, because a single connection can break although the server is available.
 *   out → available   A use of the part or a try has succeeded. Everything that waits continues.
 *
 * A try is a `probe`, which only connects. If the probe succeeds but the next use fails, e.g. because a mail server
 * rejects the sender, or if the part has none, a try is a use by one of those that wait.
 */

export interface OutageOptions {
  /** The name of the part in the log, e.g. `mail server`. */
  readonly part: string;
  /** Its host and port. */
  readonly address: string;
  readonly logger: Logger;
  /** Connects to the part and throws if it is unavailable. */
  readonly probe?: (() => Promise<unknown>) | undefined;
  /** Whether a successful probe proves that the part is available; otherwise the next use must succeed. */
  readonly isProof?: boolean;
  /** Whether an outage is logged only after a probe has failed too. */
  readonly isConfirmed?: boolean;
  /** Counts what waits for the part, for the log. */
  readonly waiting?: (() => Promise<number>) | undefined;
  readonly times?: OutageTimes;
}

export interface OutageTimes {
  /** Returns the pause before the next try, in milliseconds. */
  readonly pauseMs: () => number;
  /** The time between two lines of the log, in milliseconds. */
  readonly lineMs: number;
}

const standardTimes: OutageTimes = { pauseMs: () => 3_000 + 1_000 * Math.random(), lineMs: 60_000 };

/** The largest number of lines about starts and causes in `lineMs`. */
const startsLogged = 3;

/** After a probe has succeeded, further failures start no probe for this time, because the server is overloaded. */
const confirmedMs = 1_000;

/** How a caller may use the part: freely, or alone to try whether it is available again. */
export type Pass = 'free' | 'trial';

export interface Outage {
  /** Whether the part is unavailable, as far as known. */
  readonly isOut: boolean;
  /** The error of the last use that failed. */
  readonly error: unknown;
  /** Whether the part can be reached and nothing waits that could use it. */
  readonly wantsUse: boolean;
  /**
   * Reports that the part could not be used.
   * @param since - the start of the use, by `performance.now()`; ignored if a later use has succeeded
   */
  failed(error: unknown, since?: number): void;
  /** Reports that the part was used. */
  worked(): void;
  /**
   * Waits while the part is unavailable.
   * @param patienceMs - the longest wait; without it, the wait has no limit
   * @returns undefined if the part is still unavailable after that time or after `stopWaiting`
   */
  enter(patienceMs?: number): Promise<Pass | undefined>;
  /** Returns the time until this process may connect again, in milliseconds, and reserves that time. */
  nextTryMs(): number;
  /** Calls a function at the end of each outage. */
  onEnd(listener: () => void): void;
  /** Ends all waits now and later. Tries continue. */
  stopWaiting(): void;
}

/** Creates the state of a part, which is assumed to be available. */
export function openOutage(options: OutageOptions): Outage {
  const {
    part,
    address,
    logger,
    probe,
    isProof = false,
    isConfirmed = false,
    waiting,
    times = standardTimes,
  } = options;
  let isOut = false;
  let error: unknown;
  let startedAt = 0;
  let workedAt = -Infinity;
  let triedAt = -Infinity;
  let isStopped = false;
  /** Whether a probe has succeeded in this outage, so that only a use can tell. */
  let needsUse = false;
  let tries: NodeJS.Timeout | undefined;
  let lines: NodeJS.Timeout | undefined;
  /** The code in the last line; undefined if this outage was not logged yet. */
  let logged: { readonly code: string | undefined } | undefined;
  let starts: number[] = [];
  const waiters = new Set<(pass: Pass | undefined) => void>();
  const listeners: (() => void)[] = [];

  const say = (words: string, fields: object = {}): void => {
    const code = codeOfOutage(error);
    logged = { code };
    const cause = describeError(error);
    logger.warn({ part, ...fields, error: cause }, describeCause(`The ${part} ${address} ${words}`, code));
  };
  const sayStart = (): void => {
    if (logged && logged.code === codeOfOutage(error)) return;
    const now = performance.now();
    starts = starts.filter((at) => at > now - times.lineMs);
    if (starts.length >= startsLogged) return;
    starts.push(now);
    say('is unavailable');
  };
  const sayStill = async (): Promise<void> => {
    const count = await waiting?.().catch(() => undefined);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    if (isOut) say('is still unavailable', { seconds, ...(count !== undefined && { waiting: count }) });
  };

  const schedule = (): void => {
    tries ??= setTimeout(() => {
      tries = undefined;
      triedAt = Math.max(triedAt, performance.now());
      void tryAgain();
    }, outage.nextTryMs()).unref();
  };
  const tryAgain = async (): Promise<void> => {
    if (!isOut) return;
    if (probe && !needsUse) {
      try {
        await probe();
      } catch (reason) {
        if (!isOut) return;
        error = reason;
        sayStart();
        return schedule();
      }
      if (isProof || waiters.size === 0) return outage.worked();
      needsUse = true;
    }
    const [next] = waiters;
    next?.('trial');
    // A use may end without a report. Without a probe, the next one that waits continues the tries.
    if (probe || next) schedule();
  };

  const outage: Outage = {
    get isOut() {
      return isOut;
    },
    get error() {
      return error;
    },
    get wantsUse() {
      return isOut && needsUse && waiters.size === 0;
    },
    failed(reason, since = Infinity) {
      if (since < workedAt || (isConfirmed && performance.now() < workedAt + confirmedMs)) return;
      error = reason;
      if (isOut) return isConfirmed ? undefined : sayStart();
      isOut = true;
      startedAt = performance.now();
      triedAt = Math.max(triedAt, startedAt);
      needsUse = false;
      logged = undefined;
      lines = setInterval(() => void sayStill(), times.lineMs).unref();
      if (isConfirmed) return void tryAgain();
      sayStart();
      if (probe) schedule();
    },
    worked() {
      workedAt = performance.now();
      if (!isOut) return;
      isOut = false;
      clearTimeout(tries);
      tries = undefined;
      clearInterval(lines);
      if (logged) {
        const seconds = Math.round((performance.now() - startedAt) / 1000);
        logger.info({ part, seconds }, `The ${part} ${address} is available again.`);
      }
      for (const listener of listeners) listener();
      for (const resume of waiters) resume('free');
    },
    enter(patienceMs) {
      if (!isOut) return Promise.resolve('free');
      if (isStopped) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        const end = (pass: Pass | undefined): void => {
          clearTimeout(patience);
          waiters.delete(end);
          resolve(pass);
        };
        const patience = patienceMs === undefined ? undefined : setTimeout(() => end(undefined), patienceMs);
        waiters.add(end);
        if (!probe) schedule();
      });
    },
    nextTryMs() {
      const now = performance.now();
      triedAt = Math.max(now, triedAt + times.pauseMs());
      return triedAt - now;
    },
    onEnd: (listener) => void listeners.push(listener),
    stopWaiting() {
      isStopped = true;
      for (const end of waiters) end(undefined);
    },
  };
  return outage;
}

/** Codes of nodemailer for a response of the server, whose own code says more. */
const responseCodes = new Set(['EENVELOPE', 'EMESSAGE', 'EPROTOCOL']);

/** Returns the code that says most about an outage: the system's, the server's or the library's. */
function codeOfOutage(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = codeOf(error);
  const { originalCode, responseCode, cause } = error as Error & { originalCode?: string; responseCode?: number };
  if (originalCode !== undefined) return originalCode;
  if (responseCode !== undefined && responseCode > 0 && responseCodes.has(code ?? '')) return String(responseCode);
  return code ?? codeOfReply(error) ?? codeOfOutage(cause);
}

/**
 * Returns the host and port of a URL, without its credentials.
 * @param standardPort - the port of a URL without one
 */
export function addressOf(url: string, standardPort: number): string {
  const { hostname, port } = new URL(url.replace('@/', '@localhost/'));
  return hostname.startsWith('%2F')
    ? decodeURIComponent(hostname)
    : `${hostname || 'localhost'}:${port || standardPort}`;
}

/** Returns the level of a line about a failure: `debug` if the log already tells about the outage that caused it. */
export function levelDuring(outage: Pick<Outage, 'isOut'> | undefined, otherwise: 'info' | 'warn' | 'error' = 'warn') {
  return outage?.isOut ? 'debug' : otherwise;
}
