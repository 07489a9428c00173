import type { ClaimedFollowUp } from '@dune-tide/db/follow-up-claims';
import type { FollowUpKind } from '@dune-tide/domain/follow-ups';

/** Sends follow-ups to another system. Delivery claims them, settles them and decides when to try again. */
export interface Transport {
  readonly limits: TransportLimits;
  /**
   * Sends one claimed follow-up.
   * @param isFirstTry - whether no earlier try counts
   * @throws {DatabaseUnavailableError} which uses no try; any other error counts as a temporary failure
   */
  send(followUp: ClaimedFollowUp, lease: Lease, isFirstTry: boolean): Promise<Outcome>;
}

/** The transport of each kind of follow-up. */
export type Transports = Readonly<Record<FollowUpKind, Transport>>;

/** How long `send` takes at most, in seconds. The leases are computed from it. */
export interface TransportLimits {
  /** Until it returns, or calls `lease.prolong`. */
  readonly sendSeconds: number;
  /** From `lease.prolong` until it returns. */
  readonly prolongedSeconds: number;
}

/** What makes a follow-up ours to send. */
export interface Lease {
  /**
   * Called right before the first byte that the receiver acts on.
   * @returns until when the lease holds, by `performance.now()`
   * @throws {DatabaseUnavailableError} when the database cannot be asked
   */
  holdsUntil(): Promise<number>;
  /** Called when the receiver has everything and takes long to answer. */
  prolong(): void;
}

/**
 * - `sent`: the receiver accepted it
 * - `temporary`: the receiver put this follow-up off, or may have received it without an answer; tried again a limited
 *   number of times
 * - `permanent`: the receiver will never accept it
 * - `outage`: the receiver is unavailable or refuses us, and did not judge this follow-up; uses no try
 */
export type Outcome =
  | { readonly result: 'sent'; readonly answer: string; readonly error?: undefined }
  | {
      readonly result: FailureResult;
      /** What the receiver answered, or a code where there was no answer. Staff see it. */
      readonly answer: string;
      /** What the log records. */
      readonly error: unknown;
    };

export type FailureResult = 'temporary' | 'permanent' | 'outage';
