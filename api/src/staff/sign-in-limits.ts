import { hash } from 'node:crypto';
import type { RateLimitStore } from '../http/rate-limit-store.ts';

/** Of failed sign-ins, each of which counts as long. */
const rule = {
  windowSeconds: 15 * 60,
  detail: 'Too many failed sign-ins. Please try again later.',
} as const;

/** Failures that are answered as such; every further try is refused unchecked until the window ends. */
const failuresPerAccount = 5;
/** Over all usernames of one address: an office has many people, a guesser many names. */
const failuresPerAddress = 50;

/** One try at signing in. It counts as a failure from its start, so that many at once are no way round. */
export interface SignInAttempt {
  /** It was none: nothing was checked, or something of ours failed. */
  withdraw(): Promise<void>;
  succeed(): Promise<void>;
}

export interface SignInLimits {
  /**
   * Counts a try.
   * @param address - as `limitKey` has it
   * @param foldedUsername - one spelling for all of an account
   * @throws {Problem} 429 with Retry-After
   */
  begin(address: string, foldedUsername: string): Promise<SignInAttempt>;
}

/**
 * Bounds the guessing of passwords (reliability, "Sessions and abuse"). An account is never locked as such: from other
 * addresses its password goes on working.
 */
export function signInLimits(store: RateLimitStore): SignInLimits {
  const perAccount = store.limiter({ ...rule, name: 'sign-in-account', points: failuresPerAccount });
  const perAddress = store.limiter({ ...rule, name: 'sign-in-address', points: failuresPerAddress });
  return {
    async begin(address, foldedUsername) {
      // Hashed, since a username may be an email address, or a password in the wrong field.
      const account = hash('sha256', `${address} ${foldedUsername}`, 'hex');
      await perAddress.take(address);
      try {
        await perAccount.take(account);
      } catch (error) {
        // Only what was checked counts for the address, else one stuck browser would shut out its whole office.
        await perAddress.giveBack(address);
        throw error;
      }
      return {
        async withdraw() {
          await Promise.all([perAddress.giveBack(address), perAccount.giveBack(account)]);
        },
        async succeed() {
          await Promise.all([perAddress.giveBack(address), perAccount.forget(account)]);
        },
      };
    },
  };
}
