import { normalUsername } from '@dune-tide/domain/forms/account';
import type { accountResponse } from '@dune-tide/domain/responses/account';
import type { Presented } from '@dune-tide/domain/responses/schema';
import type { Knex } from 'knex';
import { staffSessions, type StaffIdentity } from './sessions.ts';
import { reachDatabase } from './unavailable.ts';

/** An account as the staff see it. */
export type Account = Presented<typeof accountResponse>;

/** What a sign-in is checked against. */
export interface SignInCandidate {
  /** One spelling for all that look like the username, so that no other counts as another account. */
  readonly foldedUsername: string;
  readonly account: (StaffIdentity & { readonly passwordHash: string }) | undefined;
}

/** What an account is changed to; a field that is left out stays. */
export interface AccountChanges {
  readonly isActive?: boolean | undefined;
  /** argon2id, never the password. */
  readonly passwordHash?: string | undefined;
}

/** Who asks for a change, and the id of the session. */
export interface AccountActor {
  readonly id: string;
  readonly sessionId: string;
}

/**
 * - `changed`: done, and the sessions of a deactivated account or of one with a new password are over
 * - `unknown`: there is no such account
 * - `refused`: the session of the account that asked is over, or the account is inactive
 */
export type AccountChangeOutcome =
  | { readonly outcome: 'changed'; readonly account: Account }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'refused' };

/** An account that an earlier try made. */
export interface KnownAccount extends Account {
  /** Null once the account was changed: whoever made it must not find out about a password that another has set. */
  readonly firstPasswordHash: string | null;
}

/**
 * - `added`: done
 * - `known`: the account of this id, as it is, had been made before
 * - `taken`: another account has the username
 * - `refused`: as for a change
 */
export type AccountAddition =
  | { readonly outcome: 'added'; readonly account: Account }
  | { readonly outcome: 'known'; readonly account: KnownAccount }
  | { readonly outcome: 'taken' }
  | { readonly outcome: 'refused' };

interface NewAccount {
  readonly username: string;
  readonly name: string;
  /** argon2id, never the password. */
  readonly passwordHash: string;
}

const accountColumns = {
  id: 'id',
  username: 'username',
  name: 'name',
  isActive: 'is_active',
  lastSignInAt: 'last_sign_in_at',
  createdAt: 'created_at',
} as const satisfies Record<keyof Account, string>;

const returned = Object.entries(accountColumns).map(([name, column]) => `${column} as ${name}`);

/**
 * The accounts of the staff. Older releases stored usernames as typed, so a lookup tries the username as typed first, then
 * its normal form.
 */
export function staffAccounts(db: Knex) {
  return {
    /**
     * Makes the first account; once there is any, nothing happens.
     * @returns whether the account was made
     */
    async createFirst(account: NewAccount): Promise<boolean> {
      const { rowCount } = await reachDatabase(
        db.transaction(async (transaction) => {
          // Processes that start together must not each see an empty table.
          await transaction.raw('lock table staff in share row exclusive mode');
          return transaction.raw<{ rowCount: number }>(
            `insert into staff (username, name, password_hash)
             select :username, :name, :passwordHash where not exists (select from staff)`,
            { ...account },
          );
        }),
      );
      return rowCount === 1;
    },

    /** The oldest account's username, if there is any. */
    async firstUsername(): Promise<string | undefined> {
      const row = await reachDatabase(
        db('staff').orderBy('created_at').orderBy('id').first<{ username: string } | undefined>('username'),
      );
      return row?.username;
    },

    /** All accounts by name. */
    async list(): Promise<Account[]> {
      return reachDatabase(
        db('staff').select<Account[]>(accountColumns).orderByRaw('lower(name), lower(username), id'),
      );
    },

    /** The account of a username, in whatever letters it is written. */
    async byUsername(username: string): Promise<Account | undefined> {
      return reachDatabase(
        db('staff')
          .select<Account[]>(accountColumns)
          .whereRaw('lower(username) in (lower(?), lower(?))', [username, normalUsername(username)])
          .orderByRaw('lower(username) = lower(?) desc', [username])
          .first<Account | undefined>(),
      );
    },

    /** Looks a sign-in's username up, in whatever letters it is written; a deactivated account is none. */
    async findForSignIn(username: string): Promise<SignInCandidate> {
      const { rows } = await reachDatabase(
        db.raw<{ rows: ({ folded: string } & Record<'id' | 'username' | 'name' | 'hash', string | null>)[] }>(
          `select wanted.folded, staff.id, staff.username, staff.name, staff.password_hash as hash
           from (select lower(:normal) as folded) wanted
           left join staff on lower(staff.username) in (wanted.folded, lower(:username)) and staff.is_active
           order by lower(staff.username) = lower(:username) desc
           limit 1`,
          { username, normal: normalUsername(username) },
        ),
      );
      const [row] = rows;
      if (!row) throw new Error('A query that always gives a row gave none');
      const { folded, id, username: stored, name, hash } = row;
      const isKnown = id !== null && stored !== null && name !== null && hash !== null;
      return {
        foldedUsername: folded,
        account: isKnown ? { id, username: stored, name, passwordHash: hash } : undefined,
      };
    },

    /**
     * Makes an account.
     * @param id - a new one, or the same as in an earlier try
     * @param actor - who asks, unless an operator does
     */
    async add(id: string, newAccount: NewAccount, actor?: AccountActor): Promise<AccountAddition> {
      const { username, name, passwordHash } = newAccount;
      return reachDatabase(
        db.transaction(async (transaction): Promise<AccountAddition> => {
          if (actor && !(await mayChange(transaction, actor))) return { outcome: 'refused' };
          const [account] = await transaction('staff')
            .insert({ id, username, name, password_hash: passwordHash })
            .onConflict()
            .ignore()
            .returning<Account[]>(returned);
          if (account) return { outcome: 'added', account };
          const [known] = await transaction('staff')
            .select<KnownAccount[]>(
              ...returned,
              transaction.raw('case when updated_at = created_at then password_hash end as "firstPasswordHash"'),
            )
            .where({ id });
          return known ? { outcome: 'known', account: known } : { outcome: 'taken' };
        }),
      );
    },

    /**
     * Changes an account. A deactivation or a new password ends all its sessions.
     * @param id - whose account
     * @param changes - nothing changes nothing
     * @param actor - who asks, unless an operator does
     */
    async change(id: string, changes: AccountChanges, actor?: AccountActor): Promise<AccountChangeOutcome> {
      return reachDatabase(
        db.transaction(async (transaction): Promise<AccountChangeOutcome> => {
          if (actor && !(await mayChange(transaction, actor, id))) return { outcome: 'refused' };
          const { isActive, passwordHash } = changes;
          if (isActive !== undefined || passwordHash !== undefined) {
            await transaction('staff')
              .where({ id })
              .update({
                ...(isActive === undefined ? {} : { is_active: isActive }),
                ...(passwordHash === undefined ? {} : { password_hash: passwordHash }),
                updated_at: transaction.fn.now(),
              });
          }
          if (isActive === false || passwordHash !== undefined) {
            // A statement of its own sees the sessions that began while this one waited for the account.
            await transaction('sessions').where({ staff_id: id }).delete();
          }
          const account = await accountOf(transaction, id);
          return account ? { outcome: 'changed', account } : { outcome: 'unknown' };
        }),
      );
    },
  };
}

/**
 * Whether who asks is still signed in; a deactivation or a new password then waits until the transaction is over.
 * @param otherId - the account that is to be changed
 */
async function mayChange(transaction: Knex.Transaction, actor: AccountActor, otherId = actor.id): Promise<boolean> {
  // Both rows in one order: two members who deactivate each other must neither both succeed nor block.
  await transaction('staff').whereIn('id', [actor.id, otherId]).orderBy('id').forNoKeyUpdate().select('id');
  // A statement of its own sees the sessions that ended while the first one waited.
  return (await staffSessions(transaction).find(actor.sessionId)) !== undefined;
}

async function accountOf(db: Knex, id: string): Promise<Account | undefined> {
  return reachDatabase(db('staff').select<Account[]>(accountColumns).where({ id }).first<Account | undefined>());
}
