import { hash } from 'node:crypto';
import { signInLimit } from '@dune-tide/domain/limits';
import type { RateLimitStore } from './rate-limit-store.ts';

/** A try over the limit is refused unchecked until the window ends. */
const rule = {
  windowSeconds: signInLimit.windowSeconds,
  detail: 'Too many failed sign-ins. Please try again later.',
} as const;

export interface SignInLimits {
  /**
   * Counts a try and does it. It counts as a failure from its start until it went well, so that many at once, with
   * several processes, are no way round.
   * @param address - as `limitKey` has it
   * @param foldedUsername - lower-cased and normalized: the key under which failures are counted
   * @param signIn - whether it went well; one that throws was none
   * @returns what `signIn` returned
   * @throws {Problem} 429 with Retry-After
   * @throws what `signIn` throws
   */
  attempt(address: string, foldedUsername: string, signIn: () => Promise<boolean>): Promise<boolean>;
}

/**
 * Bounds the guessing of passwords (reliability, "Sessions and abuse"). An account is never locked as such: from other
 * addresses its password goes on working.
 */
export function signInLimits(store: RateLimitStore): SignInLimits {
  const perAccount = store.limiter({ ...rule, name: 'sign-in-account', points: signInLimit.failuresPerAccount });
  const perAddress = store.limiter({ ...rule, name: 'sign-in-address', points: signInLimit.failuresPerAddress });
  const inTurn = oneAtATime();
  return {
    attempt(address, foldedUsername, signIn) {
      // Hashed, since a username may be an email address, or a password in the wrong field.
      const account = hash('sha256', `${address} ${foldedUsername}`, 'hex');
      // One at a time, or the right password sent six times at once would be refused.
      return inTurn(account, async () => {
        await perAddress.consume(address);
        try {
          await perAccount.consume(account);
        } catch (error) {
          // Only what was checked counts for the address, else one stuck browser would shut out its whole office.
          await perAddress.refund(address);
          throw error;
        }
        let isSignedIn: boolean;
        try {
          isSignedIn = await signIn();
        } catch (error) {
          await Promise.all([perAddress.refund(address), perAccount.refund(account)]);
          throw error;
        }
        if (isSignedIn) await Promise.all([perAddress.refund(address), perAccount.reset(account)]);
        return isSignedIn;
      });
    },
  };
}

/** Does the works of one key one after the other. */
function oneAtATime(): <Result>(key: string, work: () => Promise<Result>) => Promise<Result> {
  const lasts = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const done = Promise.allSettled([lasts.get(key)]).then(work);
    lasts.set(key, done);
    try {
      return await done;
    } finally {
      if (lasts.get(key) === done) lasts.delete(key);
    }
  };
}
