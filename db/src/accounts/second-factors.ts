import { hash } from 'node:crypto';
import { pendingSignInMinutes } from '@dune-tide/domain/limits';
import type { Knex } from 'knex';
import { auditLog } from '../audit-log/index.ts';
import type { AccountActor } from './accounts.ts';
import { lockAccount } from './lock-account.ts';
import { passkeys, type OwnPasskey } from './passkeys.ts';
import {
  asActor,
  completeAddition,
  completeRemoval,
  hashOfCode,
  replaceCodes,
  reportFactorChange,
  type AddedFactor,
} from './second-factor-changes.ts';
import { requiresSecondFactor, type StaffIdentity } from './sessions.ts';

/** The TOTP secret of an account. */
export interface TotpFactor {
  /** The encrypted secret. */
  readonly secret: string;
  readonly isConfirmed: boolean;
  /** The time step of the last accepted code; null before the first one. */
  readonly lastStep: number | null;
  /** The current time by the database's clock, in seconds since 1970. */
  readonly now: number;
}

/** The second factors of an account. */
export interface SecondFactors {
  readonly hasTotp: boolean;
  readonly passkeys: readonly OwnPasskey[];
  readonly recoveryCodesLeft: number;
}

/** A sign-in that waits for the second factor. */
export interface PendingSignIn extends StaffIdentity {
  /** The id that `beginSignIn` got. */
  readonly signInId: string;
  readonly passwordHash: string;
  readonly foldedUsername: string;
}

/** The largest number of expired sign-ins that one sign-in deletes. */
const clearedAtOnce = 1000;

/**
 * Stores the second factors of accounts, and the sign-ins that wait for one (docs/PRODUCT.md, "Second factor").
 * @param db - a pool or a transaction
 */
export function secondFactors(db: Knex) {
  return {
    async of(staffId: string): Promise<SecondFactors> {
      const { rows } = await db.raw<{ rows: Omit<SecondFactors, 'passkeys'>[] }>(
        `select
           exists (select from totp_factors where staff_id = :staffId and confirmed_at is not null) as "hasTotp",
           (select count(*)::integer from recovery_codes where staff_id = :staffId) as "recoveryCodesLeft"`,
        { staffId },
      );
      const { hasTotp = false, recoveryCodesLeft = 0 } = rows[0] ?? {};
      return { hasTotp, passkeys: await passkeys(db).list(staffId), recoveryCodesLeft };
    },

    async totpOf(staffId: string): Promise<TotpFactor | undefined> {
      const { rows } = await db.raw<{ rows: (Omit<TotpFactor, 'lastStep'> & { lastStep: string | null })[] }>(
        `select secret, confirmed_at is not null as "isConfirmed", last_step as "lastStep",
                floor(extract(epoch from now()))::float8 as now
         from totp_factors where staff_id = ?`,
        [staffId],
      );
      return rows[0] && { ...rows[0], lastStep: rows[0].lastStep === null ? null : Number(rows[0].lastStep) };
    },

    /**
     * Stores the secret of an app that is being set up. It is not asked for before it is confirmed.
     * @param secret - encrypted
     * @returns false if the account has a confirmed app already; undefined if the session has ended
     */
    async beginTotp(actor: AccountActor, secret: string): Promise<boolean | undefined> {
      return asActor(db, actor, async (transaction) => {
        const { rowCount } = await transaction.raw<{ rowCount: number }>(
          `insert into totp_factors as known (staff_id, secret) values (:staffId, :secret)
           on conflict (staff_id) do update set secret = excluded.secret, created_at = now()
           where known.confirmed_at is null`,
          { staffId: actor.id, secret },
        );
        return rowCount === 1;
      });
    },

    /**
     * Confirms the app, with recovery codes if it is the first factor.
     * @param factor - as it was read, with the code's time step
     * @param codes - new recovery codes
     * @returns false if the secret has changed or is confirmed already; undefined if the session has ended
     */
    async confirmTotp(
      actor: AccountActor,
      factor: { readonly secret: string; readonly step: number },
      codes: readonly string[],
    ): Promise<AddedFactor | false | undefined> {
      return asActor(db, actor, async (transaction) => {
        const confirmed = await transaction('totp_factors')
          .where({ staff_id: actor.id, secret: factor.secret, confirmed_at: null })
          .update({ confirmed_at: transaction.fn.now(), last_step: factor.step });
        return confirmed === 0 ? false : completeAddition(transaction, actor, codes);
      });
    },

    /**
     * Uses a code of the app. If several sign-ins use one code, also in other processes, one succeeds.
     * @param secret - the encrypted secret that the code was checked against
     * @param replacement - the secret as it is encrypted from now on
     */
    async useStep(staffId: string, secret: string, step: number, replacement: string): Promise<boolean> {
      const used = await db('totp_factors')
        .where({ staff_id: staffId, secret })
        .where('last_step', '<', step)
        .update({ last_step: step, secret: replacement });
      return used === 1;
    },

    /** Returns whether an account has a recovery code. `endSignIn` uses it. */
    async hasRecoveryCode(staffId: string, code: string): Promise<boolean> {
      const row = await db('recovery_codes')
        .where({ staff_id: staffId, code_hash: hashOfCode(staffId, code) })
        .first<object | undefined>(db.raw('1'));
      return row !== undefined;
    },

    /**
     * Replaces the recovery codes.
     * @returns false if the account has no second factor; undefined if the session has ended
     */
    async replaceRecoveryCodes(actor: AccountActor, codes: readonly string[]): Promise<boolean | undefined> {
      return asActor(db, actor, async (transaction) => {
        const { hasTotp, passkeys: own } = await secondFactors(transaction).of(actor.id);
        if (!hasTotp && own.length === 0) return false;
        await replaceCodes(transaction, actor.id, codes);
        await reportFactorChange(transaction, actor.id, 'recovery_codes_replaced', actor);
        return true;
      });
    },

    /**
     * Removes the authenticator app of the actor's own account, and the recovery codes with the last factor.
     * @returns whether there was a confirmed one; undefined if the session has ended
     */
    async removeTotp(actor: AccountActor): Promise<boolean | undefined> {
      return asActor(db, actor, async (transaction) => {
        if (!(await deleteTotp(transaction, actor.id))) return false;
        await completeRemoval(transaction, actor.id, actor);
        return true;
      });
    },

    /** Removes all second factors of an account for an operator. @returns whether there was one */
    async removeByOperator(staffId: string): Promise<boolean> {
      return db.transaction(async (transaction) => {
        await lockAccount(transaction, staffId);
        const hadTotp = await deleteTotp(transaction, staffId);
        const removed = await transaction('passkeys').where({ staff_id: staffId }).delete();
        if (!hadTotp && removed === 0) return false;
        await completeRemoval(transaction, staffId, undefined);
        return true;
      });
    },

    /**
     * Starts a sign-in that waits for the second factor, and deletes expired ones.
     * @param id - a new id that cannot be guessed
     * @param account - with the password hash that was just checked
     * @returns false if the account has been deactivated or got a new password since then
     */
    async beginSignIn(id: string, account: { readonly id: string; readonly passwordHash: string }): Promise<boolean> {
      const { rowCount } = await db.raw<{ rowCount: number }>(
        `with ended as (
           select id_hash from pending_sign_ins where expires_at <= now()
           limit ${clearedAtOnce} for update skip locked
         ), cleared as (
           delete from pending_sign_ins using ended where pending_sign_ins.id_hash = ended.id_hash
         )
         insert into pending_sign_ins (id_hash, staff_id, password_hash, expires_at)
         select :idHash, id, password_hash, now() + interval '${pendingSignInMinutes} minutes'
         from staff where id = :staffId and is_active and password_hash = :passwordHash`,
        { idHash: hashOf(id), staffId: account.id, passwordHash: account.passwordHash },
      );
      return rowCount === 1;
    },

    /** Returns the account of a sign-in that waits, unless the account got a new password or was deactivated. */
    async pendingSignIn(id: string): Promise<PendingSignIn | undefined> {
      const { rows } = await db.raw<{ rows: Omit<PendingSignIn, 'signInId'>[] }>(
        `select staff.id, staff.username, staff.name, staff.role, staff.email is not null as "hasEmail",
                staff.must_change_password as "mustChangePassword",
                true as "hasSecondFactor", ${requiresSecondFactor} as "requiresSecondFactor", staff.password_hash as "passwordHash",
                lower(staff.username) as "foldedUsername"
         from pending_sign_ins pending
         join staff on staff.id = pending.staff_id and staff.is_active
           and staff.password_hash = pending.password_hash
         where pending.id_hash = ? and pending.expires_at > now()`,
        [hashOf(id)],
      );
      return rows[0] && { ...rows[0], signInId: id };
    },

    /**
     * Ends a sign-in that waits, and uses the recovery code that completes it, if any. If several codes are sent for one
     * sign-in, one of them is used up.
     * @returns false if the sign-in or the code was used in the meantime
     */
    async endSignIn(id: string, recoveryCode?: string): Promise<boolean> {
      return db.transaction(async (transaction) => {
        const [ended] = await transaction('pending_sign_ins')
          .where({ id_hash: hashOf(id) })
          .delete()
          .returning<{ staffId: string }[]>('staff_id as staffId');
        if (!ended) return false;
        if (recoveryCode === undefined) return true;
        const { staffId } = ended;
        const used = await transaction('recovery_codes')
          .where({ staff_id: staffId, code_hash: hashOfCode(staffId, recoveryCode) })
          .delete();
        if (used === 0) return false;
        await auditLog(transaction).add({ action: 'recovery_code_used', actor: { id: staffId }, subjectId: staffId });
        return true;
      });
    },
  };
}

/** Deletes the app of an account. @returns whether it was confirmed */
async function deleteTotp(transaction: Knex.Transaction, staffId: string): Promise<boolean> {
  const removed = await transaction('totp_factors')
    .where({ staff_id: staffId })
    .delete()
    .returning<{ confirmed_at: Date | null }[]>('confirmed_at');
  return removed.some(({ confirmed_at: confirmedAt }) => confirmedAt !== null);
}

const hashOf = (id: string): string => hash('sha256', id, 'hex');
