import { hash } from 'node:crypto';
import { signInLimit } from '@dune-tide/domain/limits';
import type { RateLimitStore } from './rate-limit-store.ts';

/** Above the limit, tries are refused without checking the password until the window ends. */
const rule = {
  windowSeconds: signInLimit.windowSeconds,
  detail: 'Too many failed sign-ins. Please try again later.',
} as const;

export interface SignInLimits {
  /**
   * Counts a try and runs it. The try counts as a failure until it succeeds, so that concurrent tries on several
   * processes cannot exceed the limit.
   * @param address - the result of `limitKey`
   * @param foldedUsername - the username in lower case and normal form; failures are counted by it
   * @param signIn - returns whether the sign-in succeeded; if it throws, the try is not counted
   * @returns the result of `signIn`
   * @throws {Problem} 429 with Retry-After above the limit
   * @throws any error of `signIn`
   */
  attempt(address: string, foldedUsername: string, signIn: () => Promise<boolean>): Promise<boolean>;
}

/**
 * Limits the guessing of passwords (docs/PRODUCT.md, "Sign-in attempts"). An account itself is never locked: its
 * password still works from other addresses.
 */
export function signInLimits(store: RateLimitStore): SignInLimits {
  const perAccount = store.limiter({ ...rule, name: 'sign-in-account', points: signInLimit.failuresPerAccount });
  const perAddress = store.limiter({ ...rule, name: 'sign-in-address', points: signInLimit.failuresPerAddress });
  const inTurn = oneAtATime();
  return {
    attempt(address, foldedUsername, signIn) {
      // The key is a hash, since a username may be an email address, or a password typed into the wrong field.
      const account = hash('sha256', `${address} ${foldedUsername}`, 'hex');
      // Tries run one after another, otherwise six concurrent tries with the right password would be refused.
      return inTurn(account, async () => {
        await perAddress.consume(address);
        try {
          await perAccount.consume(account);
        } catch (error) {
          // Refused tries do not count for the address. Otherwise one stuck browser would block its whole office.
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

/** Returns a function that runs the tasks of one key sequentially. */
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
