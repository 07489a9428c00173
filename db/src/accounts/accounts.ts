import type { AccountEvent } from '@dune-tide/domain/account-events';
import type { AuditAction } from '@dune-tide/domain/audit-actions';
import { appearanceOf } from '@dune-tide/domain/forms/appearance';
import { normalUsername } from '@dune-tide/domain/forms/normalise';
import type { LeadEmails } from '@dune-tide/domain/lead-emails';
import type { accountResponse } from '@dune-tide/domain/responses/account';
import type { Presented } from '@dune-tide/domain/responses/schema';
import type { StaffRole } from '@dune-tide/domain/staff-roles';
import type { Knex } from 'knex';
import { auditLog } from '../audit-log/index.ts';
import { advisoryLocks } from '../connection/index.ts';
import { removeOwner } from '../leads/index.ts';
import { dropOwnPendingEmail, pendingEmail, setEmail } from './email-addresses.ts';
import { accountNotices } from './notices.ts';
import { hasSecondFactor, requiresSecondFactor, staffSessions, type StaffIdentity } from './sessions.ts';

/** An account as staff see it. */
export type Account = Presented<typeof accountResponse>;

/** The account that a sign-in is checked against. */
export interface SignInCandidate {
  /** The username in its normal form and in lower case, so that all spellings of it share one limit. */
  readonly foldedUsername: string;
  readonly account: (StaffIdentity & { readonly passwordHash: string }) | undefined;
}

/** Changes to an account. A field that is left out stays as it is. */
export interface AccountChanges {
  readonly isActive?: boolean | undefined;
  /** Null removes the address. */
  readonly email?: string | null | undefined;
  /** argon2id, never the password. */
  readonly passwordHash?: string | undefined;
  readonly role?: StaffRole | undefined;
}

/** The account that makes a change, and its session. */
export interface AccountActor {
  readonly id: string;
  readonly sessionId: string;
}

/**
 * The outcome of a change:
 * - `changed`: the change is stored; a deactivation or a new password has ended the sessions of the account
 * - `unknown`: the account does not exist
 * - `refused`: the session of the actor has ended, or the actor's account is inactive
 * - `owner_needed`: the actor is a member
 * - `last_owner`: the team would have no active owner
 */
export type AccountChangeOutcome =
  | { readonly outcome: 'changed'; readonly account: Account }
  | { readonly outcome: 'unknown' | 'last_owner' | ActorRefusal };

/** Why an actor may not make a change. */
type ActorRefusal = 'refused' | 'owner_needed';

/** An account that an earlier attempt created. */
export interface KnownAccount extends Account {
  /** Null once the account was changed, so that its creator cannot find out a password that another member has set. */
  readonly firstPasswordHash: string | null;
}

/**
 * The outcome of an addition:
 * - `added`: the account was created
 * - `known`: an earlier attempt created the account with this id; its current values are returned
 * - `taken`: another account has the username
 * - `refused`, `owner_needed`: as for a change
 */
export type AccountAddition =
  | { readonly outcome: 'added'; readonly account: Account }
  | { readonly outcome: 'known'; readonly account: KnownAccount }
  | { readonly outcome: 'taken' | ActorRefusal };

interface NewAccount {
  readonly username: string;
  readonly name: string;
  /** argon2id, never the password. */
  readonly passwordHash: string;
  readonly email?: string | undefined;
  /** Defaults to a member, or to an owner if the team has no active one. */
  readonly role?: StaffRole | undefined;
}

interface SignInRow {
  readonly folded: string;
  readonly id: string | null;
  readonly username: string | null;
  readonly name: string | null;
  readonly role: StaffRole | null;
  readonly hasEmail: boolean;
  readonly hash: string | null;
  readonly mustChangePassword: boolean | null;
  readonly hasSecondFactor: boolean;
  readonly requiresSecondFactor: boolean | null;
}

const accountColumns = {
  id: 'id',
  username: 'username',
  name: 'name',
  email: 'email',
  role: 'role',
  isActive: 'is_active',
  lastSignInAt: 'last_sign_in_at',
  createdAt: 'created_at',
} as const satisfies Record<keyof Omit<Account, 'pendingEmail'>, string>;

const selected = (db: Knex) => [accountColumns, db.raw(pendingEmail)] as const;

/**
 * Reads and changes staff accounts. Older releases stored usernames as typed, so a look-up tries the username as typed
 * first, then its normal form.
 * @param staffEmail - STAFF_EMAIL, for notices of changes
 */
export function staffAccounts(db: Knex, staffEmail?: string) {
  return {
    /**
     * Creates the first account. Does nothing if any account exists.
     * @param account - `requiresSecondFactor`: whether all accounts need a second factor if REQUIRE_SECOND_FACTOR is not
     *   set; false by default
     * @returns whether the account was created
     */
    async createFirst(account: NewAccount & { readonly requiresSecondFactor?: boolean | undefined }): Promise<boolean> {
      return db.transaction(async (transaction) => {
        // Processes that start together must not each see an empty table.
        await transaction.raw('lock table staff in share row exclusive mode');
        const { rows } = await transaction.raw<{ rows: { id: string }[] }>(
          `insert into staff (username, name, role, password_hash, email, requires_second_factor)
           select :username, :name, 'owner', :passwordHash, :email, :requiresSecondFactor
           where not exists (select from staff)
           returning id`,
          {
            ...account,
            email: account.email ?? null,
            requiresSecondFactor: account.requiresSecondFactor ?? false,
          },
        );
        const [created] = rows;
        if (!created) return false;
        await auditLog(transaction).add({ action: 'member_added', actor: 'operator', subjectId: created.id });
        return true;
      });
    },

    /** Returns the username of the oldest account; undefined if there are none. */
    async firstUsername(): Promise<string | undefined> {
      const row = await db('staff')
        .orderBy('created_at')
        .orderBy('id')
        .first<{ username: string } | undefined>('username');
      return row?.username;
    },

    /**
     * Returns what holds without REQUIRE_SECOND_FACTOR: whether all accounts need a second factor.
     * @returns undefined without accounts
     */
    async requiresSecondFactor(): Promise<boolean | undefined> {
      const { rows } = await db.raw<{ rows: { isRequired: boolean | null }[] }>(
        `select ${requiresSecondFactor} as "isRequired"`,
      );
      return rows[0]?.isRequired ?? undefined;
    },

    /** Returns all accounts, sorted by name. */
    async list(): Promise<Account[]> {
      return db('staff')
        .select<Account[]>(...selected(db))
        .orderByRaw('lower(name), lower(username), id');
    },

    /** Returns the account with an id. */
    async byId(id: string): Promise<Account | undefined> {
      return accountOf(db, id);
    },

    /** Returns the account with a username, in upper or lower case. */
    async byUsername(username: string): Promise<Account | undefined> {
      return db('staff')
        .select<Account[]>(...selected(db))
        .whereRaw('lower(username) in (lower(?), lower(?))', [username, normalUsername(username)])
        .orderByRaw('lower(username) = lower(?) desc', [username])
        .first<Account | undefined>();
    },

    /** Looks up the account for a sign-in, in upper or lower case. Deactivated accounts are not found. */
    async findForSignIn(username: string): Promise<SignInCandidate> {
      const { rows } = await db.raw<{ rows: SignInRow[] }>(
        `select wanted.folded, staff.id, staff.username, staff.name, staff.role, staff.email is not null as "hasEmail",
                staff.password_hash as hash,
                staff.must_change_password as "mustChangePassword", ${hasSecondFactor} as "hasSecondFactor",
                ${requiresSecondFactor} as "requiresSecondFactor"
         from (select lower(:normal) as folded) wanted
         left join staff on lower(staff.username) in (wanted.folded, lower(:username)) and staff.is_active
         order by lower(staff.username) = lower(:username) desc
         limit 1`,
        { username, normal: normalUsername(username) },
      );
      const [row] = rows;
      if (!row) throw new Error('A query that always returns a row returned none');
      const { folded, id, username: stored, name, role, hasEmail, hash, mustChangePassword } = row;
      const isKnown =
        id !== null &&
        stored !== null &&
        name !== null &&
        role !== null &&
        hash !== null &&
        mustChangePassword !== null;
      return {
        foldedUsername: folded,
        account: isKnown
          ? {
              id,
              username: stored,
              name,
              role,
              hasEmail,
              mustChangePassword,
              hasSecondFactor: row.hasSecondFactor,
              requiresSecondFactor: row.requiresSecondFactor === true,
              passwordHash: hash,
            }
          : undefined,
      };
    },

    /** Returns the password hash of an active account. */
    async passwordHashOf(id: string): Promise<string | undefined> {
      const row = await db('staff')
        .where({ id, is_active: true })
        .first<{ password_hash: string } | undefined>('password_hash');
      return row?.password_hash;
    },

    /**
     * Replaces the password of the actor's own account and ends its other sessions.
     * @param passwordHash - the hash that was just checked
     * @param replacement - argon2id of the new password
     * @returns false if the session has ended, or the account got another password since the check
     */
    async changeOwnPassword(actor: AccountActor, passwordHash: string, replacement: string): Promise<boolean> {
      return db.transaction(async (transaction): Promise<boolean> => {
        if (!(await isSignedIn(transaction, actor))) return false;
        const [changed] = await transaction('staff')
          .where({ id: actor.id, password_hash: passwordHash })
          .update({ password_hash: replacement, must_change_password: false, updated_at: transaction.fn.now() })
          .returning<{ email: string | null }[]>('email');
        if (!changed) return false;
        await dropOwnPendingEmail(transaction, actor.id);
        const sessions = staffSessions(transaction);
        await sessions.endAfterChange(actor.id, actor.sessionId);
        await sessions.enterPassword(actor.sessionId, { id: actor.id, passwordHash: replacement });
        await auditLog(transaction).add({ action: 'password_changed', actor, subjectId: actor.id });
        await accountNotices(transaction, staffEmail).add({
          staffId: actor.id,
          recipient: changed.email,
          event: 'password_changed',
          actorId: actor.id,
        });
        return true;
      });
    },

    /**
     * Stores another hash of the same password. Sessions continue, since the password is the same.
     * @param account - the account as it was read, with the password hash that was just checked
     * @returns false if the account has been deactivated or got a new password since then
     */
    async replacePasswordHash(
      { id, passwordHash }: { readonly id: string; readonly passwordHash: string },
      replacement: string,
    ): Promise<boolean> {
      const replaced = await db('staff')
        .where({ id, password_hash: passwordHash, is_active: true })
        .update({ password_hash: replacement });
      return replaced === 1;
    },

    /**
     * Changes the actor's own account.
     * @returns undefined if the session has ended
     */
    async changeOwn(
      actor: AccountActor,
      { name, email }: { readonly name: string; readonly email?: string | null | undefined },
    ): Promise<Account | undefined> {
      return db.transaction(async (transaction): Promise<Account | undefined> => {
        if (!(await isSignedIn(transaction, actor))) return undefined;
        const before = await existing(transaction, actor.id);
        if (name !== before.name) {
          await transaction('staff').where({ id: actor.id }).update({ name, updated_at: transaction.fn.now() });
          await auditLog(transaction).add({ action: 'name_set', actor, subjectId: actor.id });
        }
        if (email !== undefined) {
          await setEmail(
            transaction,
            { staffId: actor.id, before: before.email, email, actorId: actor.id },
            staffEmail,
          );
        }
        return accountOf(transaction, actor.id);
      });
    },

    /** Returns when an account gets emails about leads. */
    async leadEmailsOf(id: string): Promise<LeadEmails> {
      const row = await db('staff').where({ id }).first<{ lead_emails: LeadEmails } | undefined>('lead_emails');
      return row?.lead_emails ?? 'never';
    },

    /** Chooses when an account gets emails about leads. */
    async chooseLeadEmails(id: string, leadEmails: LeadEmails): Promise<void> {
      await db('staff').where({ id }).update({ lead_emails: leadEmails });
    },

    /**
     * Creates an account, which must change its password at its first sign-in.
     * @param id - a new id, or the id of an earlier attempt
     * @param actor - the member of staff who adds the account; undefined if an operator does
     */
    async add(id: string, newAccount: NewAccount, actor?: AccountActor): Promise<AccountAddition> {
      const { username, name, passwordHash, email, role } = newAccount;
      return db.transaction(async (transaction): Promise<AccountAddition> => {
        const refusal = await refusalOf(transaction, actor, []);
        if (refusal) return { outcome: refusal };
        // Two names that look the same need not be the same for the unique index.
        await transaction.raw(`select pg_advisory_xact_lock(${advisoryLocks.usernames})`);
        const others = await transaction('staff').whereNot({ id }).pluck<string[]>('username');
        const looks = appearanceOf(username);
        if (others.some((other) => appearanceOf(other) === looks)) return { outcome: 'taken' };
        const [added] = await transaction('staff')
          .insert({
            id,
            username,
            name,
            password_hash: passwordHash,
            role: role ?? ((await ownersOf(transaction)).length === 0 ? 'owner' : 'member'),
            must_change_password: true,
          })
          .onConflict()
          .ignore()
          .returning<{ id: string; role: StaffRole }[]>(['id', 'role']);
        if (added) {
          await auditLog(transaction).add({
            action: 'member_added',
            actor: actor ?? 'operator',
            subjectId: id,
            details: { role: added.role },
          });
          await accountNotices(transaction, staffEmail).add({
            staffId: id,
            recipient: null,
            event: 'added',
            actorId: actor?.id,
          });
          await setEmail(
            transaction,
            { staffId: id, before: null, email: email ?? null, actorId: actor?.id },
            staffEmail,
          );
          return { outcome: 'added', account: await existing(transaction, id) };
        }
        const [known] = await transaction('staff')
          .select<KnownAccount[]>(
            ...selected(transaction),
            transaction.raw('case when updated_at = created_at then password_hash end as "firstPasswordHash"'),
          )
          .where({ id });
        return known ? { outcome: 'known', account: known } : { outcome: 'taken' };
      });
    },

    /**
     * Changes an account. A deactivation or a new password ends all its sessions. A deactivation also removes the account
     * as the owner of its open leads (docs/PRODUCT.md, "Lead owner"). The owner of the account must change a password that
     * someone else set, and is notified at the address that the account had before.
     * @param id - the account to change
     * @param actor - the member of staff who changes the account; undefined if an operator does
     */
    async change(id: string, changes: AccountChanges, actor?: AccountActor): Promise<AccountChangeOutcome> {
      return db.transaction(async (transaction): Promise<AccountChangeOutcome> => {
        const refusal = await refusalOf(transaction, actor, [id]);
        if (refusal) return { outcome: refusal };
        const { isActive, passwordHash, email, role } = changes;
        const before = await transaction('staff')
          .where({ id })
          .first<Before | undefined>({ isActive: 'is_active', email: 'email', role: 'role' });
        if (!before) return { outcome: 'unknown' };
        const owners = await ownersOf(transaction);
        if ((isActive === false || role === 'member') && owners.length === 1 && owners[0] === id) {
          return { outcome: 'last_owner' };
        }
        const values = {
          ...(isActive === undefined ? {} : { is_active: isActive }),
          ...(passwordHash === undefined ? {} : { password_hash: passwordHash, must_change_password: true }),
          ...(role === undefined ? {} : { role }),
        };
        if (Object.keys(values).length > 0) {
          await transaction('staff')
            .where({ id })
            .update({ ...values, updated_at: transaction.fn.now() });
        }
        if (email !== undefined) {
          await setEmail(transaction, { staffId: id, before: before.email, email, actorId: actor?.id }, staffEmail);
        }
        if (isActive === false || passwordHash !== undefined) {
          await staffSessions(transaction).endAfterChange(id);
          await dropOwnPendingEmail(transaction, id);
        }
        if (isActive === false) await removeOwner(transaction, id, actor?.id);
        for (const action of actionsOf(changes)) {
          await auditLog(transaction).add({ action, actor: actor ?? 'operator', subjectId: id });
        }
        for (const event of eventsOf(before, changes)) {
          await accountNotices(transaction, staffEmail).add({
            staffId: id,
            recipient: before.email,
            event,
            actorId: actor?.id,
          });
        }
        return { outcome: 'changed', account: await existing(transaction, id) };
      });
    },
  };
}

/** Checks that the actor is still signed in, and locks their account until the transaction ends. */
async function isSignedIn(transaction: Knex.Transaction, actor: AccountActor): Promise<boolean> {
  await transaction('staff').where({ id: actor.id }).forNoKeyUpdate().select('id');
  // A separate statement also sees a session that ended while the first one waited for the lock.
  return (await staffSessions(transaction).find(actor.sessionId)) !== undefined;
}

/**
 * Locks the accounts of a change and all owners, so that two owners who demote or deactivate each other do so one after
 * the other.
 * @param actor - undefined for an operator
 * @returns why the actor may not make the change; undefined if they may
 */
async function refusalOf(
  transaction: Knex.Transaction,
  actor: AccountActor | undefined,
  changedIds: readonly string[],
): Promise<ActorRefusal | undefined> {
  // Without the order of the ids, two changes could deadlock.
  await transaction('staff')
    .whereIn('id', [...changedIds, ...(actor ? [actor.id] : [])])
    .orWhere({ role: 'owner' })
    .orderBy('id')
    .forNoKeyUpdate()
    .select('id');
  if (!actor) return undefined;
  const identity = await staffSessions(transaction).find(actor.sessionId);
  if (!identity) return 'refused';
  return identity.role === 'owner' ? undefined : 'owner_needed';
}

/** Returns the ids of the active owners. */
async function ownersOf(transaction: Knex.Transaction): Promise<string[]> {
  return transaction('staff').where({ role: 'owner', is_active: true }).pluck<string[]>('id');
}

/** An account before a change. */
type Before = Pick<Account, 'isActive' | 'email' | 'role'>;

/** Returns the changes that the owner of the account is notified of. */
function eventsOf(before: Before, { isActive, passwordHash, role }: AccountChanges): readonly AccountEvent[] {
  return [
    ...(isActive === undefined || isActive === before.isActive
      ? []
      : [isActive ? ('activated' as const) : ('deactivated' as const)]),
    ...(passwordHash === undefined ? [] : ['password_set' as const]),
    ...(role === undefined || role === before.role
      ? []
      : [role === 'owner' ? ('made_owner' as const) : ('made_member' as const)]),
  ];
}

function actionsOf({ isActive, passwordHash, role }: AccountChanges): readonly AuditAction[] {
  return [
    ...(isActive === undefined ? [] : [isActive ? ('member_activated' as const) : ('member_deactivated' as const)]),
    ...(passwordHash === undefined ? [] : ['password_set' as const]),
    ...(role === undefined ? [] : [role === 'owner' ? ('made_owner' as const) : ('made_member' as const)]),
  ];
}

/** Returns an account that is known to exist. */
async function existing(db: Knex, id: string): Promise<Account> {
  const account = await accountOf(db, id);
  if (!account) throw new Error(`The account ${id} does not exist`);
  return account;
}

async function accountOf(db: Knex, id: string): Promise<Account | undefined> {
  return db('staff')
    .select<Account[]>(...selected(db))
    .where({ id })
    .first<Account | undefined>();
}
