import { secondFactors } from '@dune-tide/db/accounts';
import type { Logger } from '@dune-tide/platform/log';
import type { Knex } from 'knex';
import { comparableCode } from './recovery-codes.ts';
import type { SecretSeal } from './sealed-secret.ts';
import { newTotpSecret, totpStep } from './totp.ts';

/** Checks the codes of accounts. */
export interface TotpCodes {
  /** Returns a new secret, and its encrypted form for the database. */
  newSecret(staffId: string): { readonly secret: string; readonly sealed: string };
  /**
   * Checks the first code of an app that is being set up.
   * @returns the encrypted secret and the code's time step; undefined if the code is wrong or no app is being set up
   */
  firstStep(staffId: string, code: string): Promise<{ readonly secret: string; readonly step: number } | undefined>;
  /** Uses a code of the app or a recovery code; each works once. */
  use(staffId: string, typed: string): Promise<boolean>;
}

export function totpCodes(database: Knex, seal: SecretSeal, logger: Logger): TotpCodes {
  const factors = secondFactors(database);

  const open = (sealed: string, staffId: string): string | undefined => {
    const secret = seal.open(sealed, staffId);
    if (secret === undefined)
      logger.error({ staffId }, 'second factor cannot be decrypted: its session key is missing');
    return secret;
  };

  return {
    newSecret(staffId) {
      const secret = newTotpSecret();
      return { secret, sealed: seal.seal(secret, staffId) };
    },
    async firstStep(staffId, code) {
      const factor = await factors.totpOf(staffId);
      if (!factor || factor.isConfirmed) return undefined;
      const secret = open(factor.secret, staffId);
      const step = secret && (await totpStep(secret, comparableCode(code), factor.now, null));
      return typeof step === 'number' ? { secret: factor.secret, step } : undefined;
    },
    async use(staffId, typed) {
      const code = comparableCode(typed);
      if (!/^\d{6}$/.test(code)) return factors.useRecoveryCode(staffId, code);
      const factor = await factors.totpOf(staffId);
      if (!factor?.isConfirmed) return false;
      const secret = open(factor.secret, staffId);
      if (secret === undefined) return false;
      const step = await totpStep(secret, code, factor.now, factor.lastStep);
      // Encrypted again, so that an older session key can be removed some time after its successor was added.
      return step !== undefined && factors.useStep(staffId, factor.secret, step, seal.seal(secret, staffId));
    },
  };
}
