import { hash } from 'node:crypto';
import { deviceFailures, type DeviceOfAccount, type GuardedSecret } from '@dune-tide/db/accounts';
import { DatabaseUnavailableError } from '@dune-tide/db/connection';
import type { Quota } from '@dune-tide/db/rate-limits';
import { signInLimit } from '@dune-tide/domain/limits';
import { describeError } from '@dune-tide/platform/log';
import type { ClientNetworks } from '../http/server/client-networks.ts';
import type { Services } from '../services.ts';
import { LimitReached } from './rate-limit-store.ts';

const detail = 'Too many failed sign-ins. Please try again later.';

/** A sign-in attempt. */
export interface SignInTry {
  readonly networks: ClientNetworks;
  /** The username in lower case and normal form; failures are counted by it. */
  readonly foldedUsername: string;
  /** The device, if it has signed in to the account before. */
  readonly knownDevice: DeviceOfAccount | undefined;
}

export interface SignInLimits {
  /**
   * Counts an attempt and runs it. The attempt counts as a failure until it succeeds, so that concurrent attempts on
   * several processes cannot exceed the limits.
   * @param signIn - returns whether the sign-in succeeded; if it throws, the attempt is not counted
   * @returns the result of `signIn`
   * @throws {Problem} 429 with Retry-After above a limit
   * @throws {DatabaseUnavailableError} if the attempt cannot be counted: the secret is not checked then
   * @throws any error of `signIn`
   */
  attempt(what: SignInTry, signIn: () => Promise<boolean>): Promise<boolean>;
}

/** An attempt that was counted as a failure. Its functions never throw: if the database is unavailable, it stays one. */
interface Counted {
  /** Uncounts the attempt. */
  release(): Promise<void>;
  /** Uncounts the attempt and resets the limit of its device or address. */
  succeed(): Promise<void>;
}

/** How an attempt is counted. */
interface Counter {
  /** Attempts with the same key run one after another. */
  readonly key: string;
  /** @throws {LimitReached} */
  take(): Promise<Counted>;
}

/**
 * Limits the guessing of passwords (docs/PRODUCT.md, "Sign-in attempts"). A known device has only the limits of known
 * devices, so that failures elsewhere never lock its owner out.
 * @param secret - the guarded secret; each is counted separately, so that a success with one does not reset another
 */
export function signInLimits(
  { rateLimits, database, logger }: Pick<Services, 'rateLimits' | 'database' | 'logger'>,
  secret: GuardedSecret = 'sign-in',
): SignInLimits {
  const inTurn = oneAtATime();
  const failures = deviceFailures(database);
  const stayCounted = (error: unknown): void =>
    logger.warn({ error: describeError(error) }, 'failed sign-in not uncounted');

  const ofDevice = (device: DeviceOfAccount): Counter => ({
    key: `device:${device.id}`,
    async take() {
      const taken = await failures.take(device, secret);
      if ('waitMs' in taken) throw new LimitReached(detail, { key: 'known-device', milliseconds: taken.waitMs });
      return {
        release: () => failures.release(taken.attemptId).catch(stayCounted),
        succeed: () => failures.succeed(taken.attemptId).catch(stayCounted),
      };
    },
  });

  const ofUnknownDevice = (what: SignInTry): Counter => {
    const { quotas, own } = quotasOf(what, secret);
    return {
      key: own,
      async take() {
        const taken = await rateLimits.take(quotas, detail);
        return { release: () => taken.release(), succeed: () => taken.release([own]) };
      },
    };
  };

  return {
    attempt(what, signIn) {
      const counter = what.knownDevice ? ofDevice(what.knownDevice) : ofUnknownDevice(what);
      // Otherwise concurrent attempts with the right password would use up the limit before one of them succeeds.
      return inTurn(counter.key, async () => {
        const counted = await counter.take();
        let isSignedIn: boolean;
        try {
          isSignedIn = await signIn();
        } catch (error) {
          // The response does not wait for a second time limit while the database is unavailable.
          void counted.release();
          throw error;
        }
        if (isSignedIn) await counted.succeed();
        return isSignedIn;
      });
    },
  };
}

/** Returns the quotas of an attempt from an unknown device, and the key of the quota that a success resets. */
function quotasOf({ networks, foldedUsername }: SignInTry, secret: GuardedSecret) {
  const quota = (name: string, key: string, limit: number): Quota => ({
    key: `${secret}-${name}:${key}`,
    limit,
    milliseconds: signInLimit.windowSeconds * 1_000,
  });
  // The keys are hashes, since a username may be an email address, or a password typed into the wrong field.
  const hashed = (text: string): string => hash('sha256', text, 'hex');

  const [{ key: address }] = networks;
  const ofAccountAndAddress = quota(
    'account',
    hashed(`${address} ${foldedUsername}`),
    signInLimit.failuresPerAccountAndAddress,
  );
  return {
    quotas: [
      ofAccountAndAddress,
      quota('username', hashed(foldedUsername), signInLimit.failuresPerAccount),
      ...networks.map(({ key, factor }) => quota('address', key, signInLimit.failuresPerAddress * factor)),
    ],
    own: ofAccountAndAddress.key,
  };
}

/**
 * Returns a function that runs the tasks of one key sequentially. If the database is unavailable for one, those that
 * wait behind it fail immediately, because each would wait for the time limit again.
 */
function oneAtATime(): <Result>(key: string, work: () => Promise<Result>) => Promise<Result> {
  const lasts = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const last = lasts.get(key) ?? Promise.resolve();
    const done = last
      .catch((error: unknown) => {
        if (error instanceof DatabaseUnavailableError) throw error;
      })
      .then(work);
    lasts.set(key, done);
    try {
      return await done;
    } finally {
      if (lasts.get(key) === done) lasts.delete(key);
    }
  };
}
