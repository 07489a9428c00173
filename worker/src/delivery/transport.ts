import type { SharedText, ClaimedFollowUp } from '@dune-tide/db/follow-ups';
import type { FollowUpKind } from '@dune-tide/domain/follow-ups';
import type { Outage } from '@dune-tide/platform/outage';

/** Sends follow-ups to another system. Delivery (deliver.ts) claims them, settles them and decides about retries. */
export interface Transport {
  readonly limits: TransportLimits;
  /** The state of the receiver, to which the transport reports; undefined if it is always tried. */
  readonly outage?: Outage | undefined;
  /**
   * Sends one claimed follow-up.
   * @param isFirstTry - whether no earlier attempt was counted
   * @throws {DatabaseUnavailableError} which uses no attempt; any other error counts as a temporary failure
   */
  send(followUp: ClaimedFollowUp, lease: Lease, isFirstTry: boolean): Promise<Outcome>;
}

/** The transport of each kind of follow-up that has jobs: all but webhooks, and in tests other kinds. */
export type Transports = Readonly<
  Record<Exclude<FollowUpKind, 'webhook'>, Transport> & Partial<Record<FollowUpKind, Transport>>
>;

/** The longest times that `send` takes, in seconds. The length of a lease depends on them. */
export interface TransportLimits {
  /** Until it returns, or calls `lease.prolong`. */
  readonly sendSeconds: number;
  /** From `lease.prolong` until it returns. */
  readonly prolongedSeconds: number;
}

/** The time for which this worker alone may send a follow-up. */
export interface Lease {
  /**
   * Returns the end of the lease, by `performance.now()`. Call it right before the first byte that the receiver acts on.
   * @throws {DatabaseUnavailableError} if the lease cannot be read
   */
  holdsUntil(): Promise<number>;
  /** Prolongs the lease in the background. Call it if the receiver has everything and is slow to respond. */
  prolong(): void;
}

/**
 * - `sent`: the receiver accepted it
 * - `temporary`: the receiver deferred this follow-up, or may have accepted it but did not respond; retried a limited
 *   number of times
 * - `doubtful`: the receiver rejected it permanently, but its text says that the rejection is temporary; retried a few
 *   times
 * - `permanent`: the receiver will never accept it
 * - `needless`: nothing was sent, because nothing is left to report
 * - `outage`: the receiver is unavailable or rejects us, and has not judged this follow-up; uses no attempt
 */
export type Outcome =
  | {
      readonly result: 'sent';
      readonly serverResponse: string;
      /** The text that the email shares with others, which is stored with the outcome. */
      readonly text?: SharedText | undefined;
      readonly error?: undefined;
    }
  | { readonly result: 'needless'; readonly serverResponse: string; readonly error?: undefined }
  | {
      readonly result: FailureResult;
      /** The receiver's response, or an error code if there was none. Shown to staff. */
      readonly serverResponse: string;
      /** Logged. */
      readonly error: unknown;
      /** The seconds for which the receiver asked to wait. The next attempt comes no earlier. */
      readonly waitSeconds?: number | undefined;
    };

export type FailureResult = 'temporary' | 'doubtful' | 'permanent' | 'outage';
