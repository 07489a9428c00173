import { hash } from 'node:crypto';
import type { Presented } from '@dune-tide/domain/responses/schema';
import type { sessionResponse } from '@dune-tide/domain/responses/session';
import { sessionLimit } from '@dune-tide/domain/limits';
import type { Knex } from 'knex';
import { selectList } from './select-list.ts';
import { reachDatabase } from './unavailable.ts';

/** The account that is signed in. */
export type StaffIdentity = Presented<typeof sessionResponse>;

const identityColumns = selectList({
  id: 'id',
  username: 'username',
  name: 'name',
} satisfies Record<keyof StaffIdentity, string>);

const idle = `interval '${sessionLimit.idleMinutes} minutes'`;
const longest = `interval '${sessionLimit.hours} hours'`;

/** A use moves the end only when it moves it this far, so that most reads write nothing. */
const touchStep = `interval '1 minute'`;

/** Ended sessions that one sign-in clears away at most. */
const clearedAtOnce = 1000;

/**
 * Who is signed in, by the database's clock. Ids are known to the browser alone: what is kept is their hash. Only `begin`
 * makes a row, so a request that is still under way cannot bring an ended session back.
 * @param db - a pool or a transaction
 */
export function staffSessions(db: Knex) {
  return {
    /**
     * Signs an account in and clears ended sessions away.
     * @param id - a new one that nobody can guess
     * @param account - with the password hash that was just checked
     * @returns false when the account was deactivated or got a new password meanwhile; then there is no session
     */
    async begin(id: string, account: { readonly id: string; readonly passwordHash: string }): Promise<boolean> {
      const { rowCount } = await reachDatabase(
        db.raw<{ rowCount: number }>(
          `with account as (
             update staff set last_sign_in_at = now()
             where id = :staffId and is_active and password_hash = :passwordHash
             returning id
           ), ended as (
             select id_hash from sessions where expires_at <= now() limit ${clearedAtOnce} for update skip locked
           ), cleared as (
             delete from sessions using ended where sessions.id_hash = ended.id_hash
           )
           insert into sessions (id_hash, staff_id, expires_at)
           select :idHash, id, now() + ${idle} from account`,
          { idHash: hashOf(id), staffId: account.id, passwordHash: account.passwordHash },
        ),
      );
      return rowCount === 1;
    },

    /** Who is signed in by this id, if anyone still is; counts as a use. */
    async find(id: string): Promise<StaffIdentity | undefined> {
      const { rows } = await reachDatabase(
        db.raw<{ rows: StaffIdentity[] }>(
          `with live as (
             select staff.id, staff.username, staff.name from sessions
             join staff on staff.id = sessions.staff_id and staff.is_active
             where sessions.id_hash = :idHash and sessions.expires_at > now()
           ), touched as (
             update sessions set expires_at = least(now() + ${idle}, created_at + ${longest})
             where id_hash = :idHash and exists (select from live)
               and expires_at + ${touchStep} <= least(now() + ${idle}, created_at + ${longest})
           )
           select ${identityColumns} from live`,
          { idHash: hashOf(id) },
        ),
      );
      return rows[0];
    },

    /** Ends one session; no session is fine as well. */
    async end(id: string): Promise<void> {
      await reachDatabase(
        db('sessions')
          .where({ id_hash: hashOf(id) })
          .delete(),
      );
    },
  };
}

function hashOf(id: string): string {
  return hash('sha256', id, 'hex');
}
