import { hash } from 'node:crypto';
import { DatabaseUnavailableError } from '@dune-tide/db/connection';
import type { Quota } from '@dune-tide/db/rate-limits';
import { signInLimit } from '@dune-tide/domain/limits';
import type { ClientNetworks } from '../http/server/client-networks.ts';
import type { RateLimitStore } from './rate-limit-store.ts';

const detail = 'Too many failed sign-ins. Please try again later.';

/** The guarded secrets: the password of a sign-in, the password of a signed-in account, and a code. */
type Secret = 'sign-in' | 'own-password' | 'second-factor';

/** A sign-in attempt. */
export interface SignInTry {
  readonly networks: ClientNetworks;
  /** The username in lower case and normal form; failures are counted by it. */
  readonly foldedUsername: string;
  /** The id of the device if it has signed in to the account before. */
  readonly knownDevice: string | undefined;
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

/**
 * Limits the guessing of passwords (docs/PRODUCT.md, "Sign-in attempts"). A known device has only its own limit, so
 * that failures elsewhere never lock its owner out.
 * @param secret - the guarded secret; each is counted separately, so that a success with one does not reset another
 */
export function signInLimits(store: RateLimitStore, secret: Secret = 'sign-in'): SignInLimits {
  const inTurn = oneAtATime();
  return {
    attempt(what, signIn) {
      const { quotas, own } = quotasOf(what, secret);
      // Attempts with the same key run one after another. Otherwise concurrent attempts with the right password would
      // use up the limit before one of them succeeds.
      return inTurn(own, async () => {
        const taken = await store.take(quotas, detail);
        let isSignedIn: boolean;
        try {
          isSignedIn = await signIn();
        } catch (error) {
          // The response does not wait for a second time limit while the database is unavailable.
          void taken.release();
          throw error;
        }
        if (isSignedIn) await taken.release([own]);
        return isSignedIn;
      });
    },
  };
}

/** Returns the quotas of an attempt, and the key of the quota that a success resets. */
function quotasOf({ networks, foldedUsername, knownDevice }: SignInTry, secret: Secret) {
  const quota = (name: string, key: string, limit: number): Quota => ({
    key: `${secret}-${name}:${key}`,
    limit,
    milliseconds: signInLimit.windowSeconds * 1_000,
  });
  // The keys are hashes, since a username may be an email address, or a password typed into the wrong field.
  const hashed = (text: string): string => hash('sha256', text, 'hex');

  if (knownDevice !== undefined) {
    const ofDevice = quota('device', knownDevice, signInLimit.failuresPerDevice);
    return { quotas: [ofDevice], own: ofDevice.key };
  }
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
