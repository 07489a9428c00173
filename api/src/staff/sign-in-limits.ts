import { RateLimiterMemory, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { Problem } from '../http/problem.ts';

const windowSeconds = 15 * 60;

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
export function signInLimits(): SignInLimits {
  // Counted per process; a shared store of rate-limiter-flexible in place of these two counts for all.
  const perAccount: RateLimiterAbstract = new RateLimiterMemory({
    points: failuresPerAccount,
    duration: windowSeconds,
  });
  const perAddress: RateLimiterAbstract = new RateLimiterMemory({
    points: failuresPerAddress,
    duration: windowSeconds,
  });
  return {
    async begin(address, foldedUsername) {
      const account = `${address} ${foldedUsername}`;
      await count(perAddress, address);
      try {
        await count(perAccount, account);
      } catch (error) {
        // Only what was checked counts for the address, else one stuck browser would shut out its whole office.
        await perAddress.reward(address);
        throw error;
      }
      return {
        async withdraw() {
          await Promise.all([perAddress.reward(address), perAccount.reward(account)]);
        },
        async succeed() {
          await Promise.all([perAddress.reward(address), perAccount.delete(account)]);
        },
      };
    },
  };
}

async function count(limiter: RateLimiterAbstract, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    throw new Problem(429, {
      detail: 'Too many failed sign-ins. Please try again later.',
      headers: { 'Retry-After': String(Math.max(1, Math.ceil(error.msBeforeNext / 1000))) },
    });
  }
}
