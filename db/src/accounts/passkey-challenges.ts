import { hash } from 'node:crypto';
import { passkeyChallengeMinutes } from '@dune-tide/domain/limits';
import type { Knex } from 'knex';

/**
 * Stores the challenges of passkeys (docs/PRODUCT.md, "Second factor"): with the session that adds a passkey, or with the
 * sign-in that waits for one. Each has one challenge at a time, which ends with it.
 * @param db - a pool or a transaction
 */
export function passkeyChallenges(db: Knex, table: 'sessions' | 'pending_sign_ins') {
  return {
    /**
     * Stores a challenge, which replaces an earlier one.
     * @param id - of the session or of the sign-in
     * @returns false if the session or the sign-in has ended
     */
    async set(id: string, challenge: string): Promise<boolean> {
      const { rowCount } = await db.raw<{ rowCount: number }>(
        `update ${table} set
           passkey_challenge = :challenge,
           passkey_challenge_expires_at = now() + interval '${passkeyChallengeMinutes} minutes'
         where id_hash = :idHash and expires_at > now()`,
        { idHash: hashOf(id), challenge },
      );
      return rowCount === 1;
    },

    /**
     * Returns the challenge and removes it, so that it can be used once. Of several concurrent calls, also of other
     * processes, one gets it.
     * @returns undefined if there is none, or it has expired
     */
    async take(id: string): Promise<string | undefined> {
      const { rows } = await db.raw<{ rows: { challenge: string }[] }>(
        `with taken as (
           select id_hash, passkey_challenge as challenge,
                  passkey_challenge_expires_at > now() and expires_at > now() as is_valid
           from ${table} where id_hash = :idHash and passkey_challenge is not null
           for update
         ), cleared as (
           update ${table} set passkey_challenge = null, passkey_challenge_expires_at = null
           from taken where ${table}.id_hash = taken.id_hash
         )
         select challenge from taken where is_valid`,
        { idHash: hashOf(id) },
      );
      return rows[0]?.challenge;
    },
  };
}

const hashOf = (id: string): string => hash('sha256', id, 'hex');
