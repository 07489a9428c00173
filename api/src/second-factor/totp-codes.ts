import { secondFactors } from '@dune-tide/db/accounts';
import { clockMessage, wrongCodeMessage } from '@dune-tide/domain/forms/second-factor';
import type { Logger } from '@dune-tide/platform/log';
import type { Knex } from 'knex';
import { comparableCode } from './recovery-codes.ts';
import type { SecretSeal } from './sealed-secret.ts';
import { misplacedStep, newTotpSecret, totpStep } from './totp.ts';
import { LimitReached, type RateLimitStore } from '../rate-limits/rate-limit-store.ts';

/**
 * - `misplaced`: the code belongs to another time within ten minutes, so the clock of the phone is probably wrong
 * - `recovery_code`: the account has the recovery code, which the end of the sign-in uses
 */
export type CodeOutcome = 'accepted' | 'recovery_code' | 'refused' | 'misplaced';

/** Returns the message of a refused code. */
export const messageOf = (outcome: CodeOutcome): string => (outcome === 'misplaced' ? clockMessage : wrongCodeMessage);

/** Longer than a code can be told to be misplaced before its time comes. */
const toldMilliseconds = 30 * 60_000;

/** Checks the codes of accounts. */
export interface TotpCodes {
  /** Returns a new secret, and its encrypted form for the database. */
  newSecret(staffId: string): { readonly secret: string; readonly sealed: string };
  /**
   * Checks the first code of an app that is being set up.
   * @returns the encrypted secret and the code's time step; the outcome if the code is wrong or no app is being set up
   */
  firstStep(
    staffId: string,
    code: string,
  ): Promise<{ readonly secret: string; readonly step: number } | Extract<CodeOutcome, 'refused' | 'misplaced'>>;
  /** Uses a code of the app, which works once, or looks up a recovery code. */
  use(staffId: string, typed: string): Promise<CodeOutcome>;
}

export function totpCodes(database: Knex, seal: SecretSeal, logger: Logger, rateLimits: RateLimitStore): TotpCodes {
  const factors = secondFactors(database);

  const open = (sealed: string, staffId: string): string | undefined => {
    const secret = seal.open(sealed, staffId);
    if (secret === undefined)
      logger.error({ staffId }, 'second factor cannot be decrypted: its session key is missing');
    return secret;
  };

  /**
   * Takes the code of a time step, for a sign-in or for the hint about the clock. A hint tells a guesser that a code will
   * be right within the next ten minutes, so that code must not sign in afterwards.
   * @returns whether it had not been taken
   */
  const takeStep = async (staffId: string, step: number): Promise<boolean> => {
    try {
      await rateLimits.take([{ key: `totp-step:${staffId} ${step}`, limit: 1, milliseconds: toldMilliseconds }], '');
      return true;
    } catch (error) {
      if (error instanceof LimitReached) return false;
      throw error;
    }
  };

  return {
    newSecret(staffId) {
      const secret = newTotpSecret();
      return { secret, sealed: seal.seal(secret, staffId) };
    },
    async firstStep(staffId, code) {
      const factor = await factors.totpOf(staffId);
      if (!factor || factor.isConfirmed) return 'refused';
      const secret = open(factor.secret, staffId);
      if (secret === undefined) return 'refused';
      const typed = comparableCode(code);
      const step = await totpStep(secret, typed, factor.now, null);
      if (step !== undefined) return { secret: factor.secret, step };
      // The account has just been shown the secret, so the hint reveals nothing.
      return (await misplacedStep(secret, typed, factor.now, null)) === undefined ? 'refused' : 'misplaced';
    },
    async use(staffId, typed) {
      const code = comparableCode(typed);
      if (!/^\d{6}$/.test(code)) return (await factors.hasRecoveryCode(staffId, code)) ? 'recovery_code' : 'refused';
      const factor = await factors.totpOf(staffId);
      if (!factor?.isConfirmed) return 'refused';
      const secret = open(factor.secret, staffId);
      if (secret === undefined) return 'refused';
      const step = await totpStep(secret, code, factor.now, factor.lastStep);
      if (step === undefined) {
        const misplaced = await misplacedStep(secret, code, factor.now, factor.lastStep);
        if (misplaced === undefined) return 'refused';
        await takeStep(staffId, misplaced);
        return 'misplaced';
      }
      // Encrypted again, so that an older session key can be removed some time after its successor was added.
      const isAccepted =
        (await takeStep(staffId, step)) &&
        (await factors.useStep(staffId, factor.secret, step, seal.seal(secret, staffId)));
      return isAccepted ? 'accepted' : 'refused';
    },
  };
}
