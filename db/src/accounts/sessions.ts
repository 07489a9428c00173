import { hash } from 'node:crypto';
import type { Presented } from '@dune-tide/domain/responses/schema';
import type { ownSessionResponse } from '@dune-tide/domain/responses/own-account';
import type { SecondFactorKind } from '@dune-tide/domain/responses/session';
import { maxPageSize, passwordFreshMinutes, sessionLimit } from '@dune-tide/domain/limits';
import type { StaffRole } from '@dune-tide/domain/staff-roles';
import type { Knex } from 'knex';
import { auditLog, sealed, type AuditOrigin } from '../audit-log/index.ts';
import { selectList } from '../connection/index.ts';
import { knownDevices } from './known-devices.ts';
import { lockAccount } from './lock-account.ts';
import { accountNotices } from './notices.ts';

/** The account that is signed in. */
export interface StaffIdentity {
  readonly id: string;
  readonly username: string;
  readonly name: string;
  readonly role: StaffRole;
  /** Whether the account has a confirmed address. */
  readonly hasEmail: boolean;
  /** Whether another person set the password, so that the account must change it before anything else. */
  readonly mustChangePassword: boolean;
  /** Whether a sign-in asks for a second factor. */
  readonly hasSecondFactor: boolean;
  /** Whether all accounts need a second factor if REQUIRE_SECOND_FACTOR is not set. */
  readonly requiresSecondFactor: boolean;
}

/** A session as its account sees it. */
export type OwnSession = Presented<typeof ownSessionResponse>;

/** Where a session was started. */
export interface SessionOrigin extends AuditOrigin {
  /** The address, or the /64 network of an IPv6 address; null if it is unknown. */
  readonly address: string | null;
  /** The token of the device: of a known one, or a new one that cannot be guessed. */
  readonly deviceToken: string;
  /** The factor that completed the sign-in after the password. */
  readonly factor: SecondFactorKind | 'recovery_code' | 'none';
}

/** An account as a sign-in has checked it. */
export interface CheckedAccount {
  readonly id: string;
  /** The hash that the password was checked against. */
  readonly passwordHash: string;
  /** Whether the sign-in was completed with a second factor. */
  readonly hasSecondFactor: boolean;
}

/** A condition on `staff`: whether a sign-in asks for a second factor. */
export const hasSecondFactor = `(
  exists (select from totp_factors where totp_factors.staff_id = staff.id and confirmed_at is not null)
  or exists (select from passkeys where passkeys.staff_id = staff.id)
)`;

/**
 * Whether all accounts need a second factor if REQUIRE_SECOND_FACTOR is not set: a column of the oldest account, which
 * may be inactive (docs/PRODUCT.md, "Second factor"). Null without accounts.
 */
export const requiresSecondFactor = `(
  select oldest.requires_second_factor from staff oldest order by oldest.created_at, oldest.id limit 1
)`;

const identityColumns = selectList({
  id: 'id',
  username: 'username',
  name: 'name',
  role: 'role',
  hasEmail: 'has_email',
  mustChangePassword: 'must_change_password',
  hasSecondFactor: 'has_second_factor',
  requiresSecondFactor: 'requires_second_factor',
} satisfies Record<keyof StaffIdentity, string>);

const idle = `interval '${sessionLimit.idleMinutes} minutes'`;
const longest = `interval '${sessionLimit.hours} hours'`;

const passwordFresh = `interval '${passwordFreshMinutes} minutes'`;

/** The smallest step by which a use extends a session, so that most uses write nothing. */
const touchStep = `interval '1 minute'`;

/** The largest number of expired sessions that one sign-in deletes. */
const clearedAtOnce = 1000;

/**
 * Stores the sessions of staff. They expire by the database's clock. The table has only the hash of each id. Only `begin`
 * inserts a row, so a request in progress cannot restore a session that has ended.
 * @param db - a pool or a transaction
 */
export function staffSessions(db: Knex) {
  /**
   * Records the device of a sign-in. A new device is reported to the address of the account, unless it is the first one.
   * @returns the id of the device; null if it has ended in the meantime
   */
  async function rememberDevice(
    transaction: Knex,
    account: { readonly id: string; readonly email: string | null; readonly isFirstSignIn: boolean },
    { device, deviceToken }: SessionOrigin,
  ): Promise<string | null> {
    const known = await knownDevices(transaction).remember(account.id, deviceToken);
    if (known?.isNew && !account.isFirstSignIn) {
      await accountNotices(transaction).add({
        staffId: account.id,
        recipient: account.email,
        event: 'new_device',
        actorId: account.id,
        device,
      });
    }
    return known?.id ?? null;
  }

  /** Deletes sessions of one account, with an entry of the audit log. Returns their number. */
  async function endAudited(condition: string, bindings: Readonly<Record<string, string>>): Promise<number> {
    const { rows } = await db.raw<{ rows: { ended: string }[] }>(
      `with ended as (
         delete from sessions where ${condition} returning staff_id as id
       ), audited as (
         insert into audit_log (action, actor, actor_id, subject_id, details)
         select 'session_ended', 'staff', id, id, jsonb_build_object('ended', count(*)) from ended group by id
       )
       select count(*) as ended from ended`,
      bindings,
    );
    return Number(rows[0]?.ended);
  }

  return {
    /**
     * Starts a session, records its device, and deletes expired sessions.
     * @param id - a new id that cannot be guessed
     * @param account - as it was just checked
     * @param origin - where the sign-in came from
     * @returns false if the account has been deactivated, or got a new password or its first second factor since then; no
     *   session is started
     */
    async begin(id: string, account: CheckedAccount, origin: SessionOrigin): Promise<boolean> {
      return db.transaction(async (transaction) => {
        // Waits for a change of the account that ends its sessions. The next statement sees it.
        await lockAccount(transaction, account.id);
        const { rows } = await transaction.raw<{ rows: { email: string | null; isFirstSignIn: boolean }[] }>(
          `select email, last_sign_in_at is null as "isFirstSignIn" from staff
           where id = :staffId and is_active and password_hash = :passwordHash
             and (:hasSecondFactor or not ${hasSecondFactor})`,
          { staffId: account.id, passwordHash: account.passwordHash, hasSecondFactor: account.hasSecondFactor },
        );
        const [checked] = rows;
        if (!checked) return false;
        const { network, device, address, factor } = origin;
        const deviceId = await rememberDevice(transaction, { id: account.id, ...checked }, origin);
        await transaction.raw(
          `with account as (
           update staff set last_sign_in_at = now() where id = :staffId returning id
         ), ended as (
           select id_hash from sessions where expires_at <= now() limit ${clearedAtOnce} for update skip locked
         ), cleared as (
           delete from sessions using ended where sessions.id_hash = ended.id_hash
         ), audited as (
           insert into audit_log (action, actor, actor_id, subject_id, details)
           select 'signed_in', 'staff', id, id, :details::jsonb from account returning id
         ), placed as (
           insert into audit_origins (entry_id, key, network, device) select id, :key, :network, :device from audited
         )
         insert into sessions (id_hash, staff_id, expires_at, device, address, known_device_id)
         select :idHash, id, now() + ${idle}, :device, :address, :deviceId from account`,
          { idHash: hashOf(id), staffId: account.id, address, deviceId, ...sealed({ network, device }, { factor }) },
        );
        return true;
      });
    },

    /**
     * Returns the account of a session and extends the session.
     * @returns undefined if the session has ended or the account is inactive
     */
    async find(id: string): Promise<StaffIdentity | undefined> {
      const { rows } = await db.raw<{ rows: StaffIdentity[] }>(
        `with live as (
           select staff.id, staff.username, staff.name, staff.role, staff.email is not null as has_email,
                  staff.must_change_password,
                  ${hasSecondFactor} as has_second_factor, ${requiresSecondFactor} as requires_second_factor
           from sessions
           join staff on staff.id = sessions.staff_id and staff.is_active
           where sessions.id_hash = :idHash and sessions.expires_at > now()
         ), touched as (
           update sessions set
             expires_at = least(now() + ${idle}, created_at + ${longest}),
             last_used_at = now()
           where id_hash = :idHash and exists (select from live)
             and (
               expires_at + ${touchStep} <= least(now() + ${idle}, created_at + ${longest})
               or last_used_at + ${touchStep} <= now()
             )
         )
         select ${identityColumns} from live`,
        { idHash: hashOf(id) },
      );
      return rows[0];
    },

    /** Returns those of the sessions that have not ended and whose accounts are active. Does not extend them. */
    async live(ids: readonly string[]): Promise<Set<string>> {
      const byHash = new Map(ids.map((id) => [hashOf(id), id]));
      const hashes = await db('sessions')
        .join('staff', 'staff.id', 'sessions.staff_id')
        .whereIn('id_hash', [...byHash.keys()])
        .where('staff.is_active', true)
        .where('expires_at', '>', db.fn.now())
        .pluck<string[]>('id_hash');
      return new Set(hashes.flatMap((idHash) => byHash.get(idHash) ?? []));
    },

    /**
     * Records that the password was entered again.
     * @param account - with the password hash that was just checked
     * @returns false if the session has ended or the account got a new password since then
     */
    async enterPassword(id: string, account: { readonly id: string; readonly passwordHash: string }): Promise<boolean> {
      const { rowCount } = await db.raw<{ rowCount: number }>(
        `update sessions set password_at = now() from staff
         where id_hash = :idHash and expires_at > now() and staff_id = :staffId
           and staff.id = staff_id and is_active and password_hash = :passwordHash`,
        { idHash: hashOf(id), staffId: account.id, passwordHash: account.passwordHash },
      );
      return rowCount === 1;
    },

    /** Returns whether the password was entered in the session within `passwordFreshMinutes`. */
    async hasFreshPassword(id: string): Promise<boolean> {
      const row = await db('sessions')
        .where('id_hash', hashOf(id))
        .whereRaw(`password_at > now() - ${passwordFresh}`)
        .first<object | undefined>(db.raw('1'));
      return row !== undefined;
    },

    /**
     * Returns the sessions of an account that have not ended, the one that was used last in front.
     * @param ownId - the id of the session that asks
     */
    async list(staffId: string, ownId: string): Promise<OwnSession[]> {
      return db('sessions')
        .where({ staff_id: staffId })
        .where('expires_at', '>', db.fn.now())
        .orderBy([{ column: 'last_used_at', order: 'desc' }, { column: 'id' }])
        .limit(maxPageSize)
        .select<OwnSession[]>(
          'id',
          'device',
          'address',
          'last_used_at as lastUsedAt',
          db.raw('id_hash = ? as "isCurrent"', [hashOf(ownId)]),
        );
    },

    /**
     * Ends one session of an account.
     * @param publicId - the id that `list` returned
     * @returns whether the account had the session
     */
    async endOne(staffId: string, publicId: string): Promise<boolean> {
      return (await endAudited('staff_id = :staffId and id = :publicId', { staffId, publicId })) > 0;
    },

    /** Ends all sessions of an account except one, and all its devices. */
    async endOthers(staffId: string, keptId: string): Promise<void> {
      await db.transaction(async (transaction) => {
        await lockAccount(transaction, staffId);
        await staffSessions(transaction).endAllBut(staffId, keptId);
        await knownDevices(transaction).end(staffId);
        // Written even if no device was known: cookies of 0.3.0 that were issued before it are refused.
        await auditLog(transaction).add({ action: 'devices_ended', actor: { id: staffId }, subjectId: staffId });
      });
    },

    /**
     * Ends the sessions and the devices of an account whose password or factors change, and the sign-ins that wait for a
     * factor. The transaction of the change must have locked the account.
     * @param keptId - the session that makes the change, which stays with its device
     */
    async endAfterChange(staffId: string, keptId?: string): Promise<void> {
      await knownDevices(db).end(staffId, keptId === undefined ? undefined : hashOf(keptId));
      await db('pending_sign_ins').where({ staff_id: staffId }).delete();
      if (keptId === undefined) await db('sessions').where({ staff_id: staffId }).delete();
      else await staffSessions(db).endAllBut(staffId, keptId);
    },

    /** Ends all sessions of an account except one. */
    async endAllBut(staffId: string, keptId: string): Promise<void> {
      await endAudited('staff_id = :staffId and id_hash <> :idHash', { staffId, idHash: hashOf(keptId) });
    },

    /** Signs out of a session. Does nothing if it does not exist. */
    async end(id: string): Promise<void> {
      await db.raw(
        `with ended as (delete from sessions where id_hash = ? returning staff_id as id)
         insert into audit_log (action, actor, actor_id, subject_id) select 'signed_out', 'staff', id, id from ended`,
        [hashOf(id)],
      );
    },
  };
}

function hashOf(id: string): string {
  return hash('sha256', id, 'hex');
}
