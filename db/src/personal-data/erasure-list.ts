import { createHmac, randomUUID } from 'node:crypto';
import { staffCalls } from '@dune-tide/domain/staff-calls';
import type { Knex } from 'knex';
import { auditLog } from '../audit-log/index.ts';
import { advisoryLocks } from '../connection/index.ts';

/** The kinds of entries on the list. */
export const erasureSubjects = ['address', 'mailbox', 'lead'] as const;
export type ErasureSubject = (typeof erasureSubjects)[number];

/** An entry of the list of erasures, which a restore applies (ADR 0021). */
export interface ListedErasure {
  /** HMAC-SHA256 of an address, of a mailbox or of the id of a lead, in hexadecimal digits. */
  readonly hash: string;
  /** The key of the hash, a UUID. Each account uses another key. */
  readonly key: string;
  readonly erasedAt: Date;
  /** Null for an entry of an earlier release. */
  readonly subject: ErasureSubject | null;
  /** The username of the member of staff; null for a withdrawal, and for an entry of an earlier release. */
  readonly erasedBy: string | null;
  /** The first time, if the account has erased the address several times; null for an entry of an earlier release. */
  readonly firstErasedAt: Date | null;
}

/** Erasures of one account that a restore leaves out. */
export interface ErasureSkip {
  readonly username: string;
  readonly since: Date;
  /** The time up to which they are left out. */
  readonly until: Date;
}

/** The erasures of a day by one account, or by visitors. */
export interface ErasureCount {
  /** In UTC, as YYYY-MM-DD. */
  readonly day: string;
  /** The username; null if none is listed. */
  readonly erasedBy: string | null;
  /** Whether visitors have withdrawn the leads. */
  readonly isWithdrawal: boolean;
  /** The number of addresses, or of withdrawn leads. */
  readonly count: number;
}

/** Returns when an address, a mailbox or a lead was erased for the last time; undefined if it is not on the list. */
export type ErasedAt = (subject: ErasureSubject, text: string) => Date | undefined;

/** Thrown if a member of staff has erased too many addresses within an hour (docs/PRODUCT.md, "Erasure"). */
export class ErasureLimitReached extends Error {
  override readonly name = 'ErasureLimitReached';
  /** The seconds after which the account can erase another address. */
  readonly retryAfter: number;

  constructor(retryAfter: number) {
    super('Too many addresses were erased');
    this.retryAfter = retryAfter;
  }
}

/** Thrown if there is nothing to leave out, e.g. because a name is misspelt. The message names the accounts on the list. */
export class NoErasuresToSkip extends Error {
  override readonly name = 'NoErasuresToSkip';

  constructor(username: string, since: Date, authors: readonly string[]) {
    const others = authors.length === 0 ? 'It names no account.' : `It names ${authors.join(', ')}.`;
    super(`The list of erasures has none by ${username} since ${since.toISOString()}. ${others}`);
  }
}

/** Entries that one statement writes. */
const entriesTogether = 5_000;

const columns = {
  hash: 'hash',
  key: 'key',
  erasedAt: 'erased_at',
  subject: 'subject',
  erasedBy: 'erased_by',
  firstErasedAt: 'first_erased_at',
} as const satisfies Record<keyof ListedErasure, string>;

/** The beginnings of the texts that are hashed, so that none can be mistaken for another. */
const prefixes: Readonly<Record<ErasureSubject, string>> = { address: 'email', mailbox: 'mailbox', lead: 'lead' };

function hashOf(key: string, subject: ErasureSubject, text: string): string {
  const hashed = subject === 'address' ? text.toLowerCase() : text;
  return createHmac('sha256', key).update(`${prefixes[subject]}:${hashed}`).digest('hex');
}

/**
 * The list of erasures, which survives a restore (docs/PRODUCT.md, "Erasure").
 * @param db - a pool or a transaction
 */
export function erasureList(db: Knex) {
  /** Returns the key of an account's entries, or of those without an account. */
  const keyOf = async (username: string | undefined): Promise<string> => {
    const own = db('erasures').where({ erased_by: username ?? null });
    const earlier = await own.orderBy('erased_at').first<{ key: string } | undefined>('key');
    return earlier?.key ?? randomUUID();
  };

  return {
    /**
     * Locks the list for an account until the transaction ends, and counts the other addresses that it has erased
     * within an hour.
     * @param email - the address to erase
     * @returns the account, and whether it has not erased this address within the hour
     * @throws {ErasureLimitReached}
     */
    async authorOf(
      accountId: string,
      email: string,
    ): Promise<{ readonly username: string; readonly isCounted: boolean }> {
      await db.raw(`select pg_advisory_xact_lock(${advisoryLocks.erasuresOfAccount}, hashtext(?))`, [accountId]);
      const account = await db('staff').where({ id: accountId }).first<{ username: string } | undefined>('username');
      if (!account) throw new Error(`The account ${accountId} does not exist`);
      const { username } = account;
      // A key for each account, so that entries of others are not changed by the erasure.
      const hash = hashOf(await keyOf(username), 'address', email);
      const { rows } = await db.raw<{ rows: { hash: string; seconds: number }[] }>(
        `select hash, ceil(extract(epoch from erased_at + interval '1 hour' - statement_timestamp()))::integer as seconds
         from erasures
         where erased_by = ? and subject = 'address' and erased_at > statement_timestamp() - interval '1 hour'
         order by erased_at desc`,
        [username],
      );
      const others = rows.filter((row) => row.hash !== hash);
      const last = others[staffCalls.erasePerson.perHour - 1];
      if (last) throw new ErasureLimitReached(last.seconds);
      return { username, isCounted: others.length === rows.length };
    },

    /**
     * Adds what is erased.
     * @param username - the account that erases it; undefined if a visitor does. The list must be locked for it
     */
    async add(
      erased: readonly { readonly subject: ErasureSubject; readonly text: string }[],
      username?: string,
    ): Promise<void> {
      const key = await keyOf(username);
      for (const { subject, text } of erased) {
        // The time of the statement, because the transaction may have waited for the lock.
        await db.raw(
          `insert into erasures (hash, key, subject, erased_by, erased_at, first_erased_at)
           values (:hash, :key, :subject, :username, statement_timestamp(), statement_timestamp())
           on conflict (hash) do update set erased_at = excluded.erased_at, subject = excluded.subject`,
          { hash: hashOf(key, subject, text), key, subject, username: username ?? null },
        );
      }
    },

    /** Returns the list, in the order in which the entries were made. */
    async listed(): Promise<ListedErasure[]> {
      return db('erasures').orderBy(['erased_at', 'hash']).select<ListedErasure[]>(columns);
    },

    /**
     * Adds entries of another list. An entry that the list has keeps the later time. What an operator has left out does
     * not come back.
     */
    async merge(entries: readonly ListedErasure[]): Promise<void> {
      for (let from = 0; from < entries.length; from += entriesTogether) {
        const rows = entries.slice(from, from + entriesTogether);
        await db.raw(
          `with added as (
             select * from jsonb_to_recordset(?::jsonb) as added (
               hash text, key uuid, subject text, "erasedBy" text, "erasedAt" timestamptz, "firstErasedAt" timestamptz
             )
           )
           insert into erasures (hash, key, subject, erased_by, erased_at, first_erased_at)
           select hash, key, subject, "erasedBy", case when skip.since is null then "erasedAt" else "firstErasedAt" end,
                  "firstErasedAt"
           from added
           left join lateral (
             select min(since) as since from erasure_skips skip
             where lower(skip.erased_by) = lower("erasedBy") and "erasedAt" between skip.since and skip.until
           ) as skip on true
           where skip.since is null or "firstErasedAt" < skip.since
           on conflict (hash) do update set
             erased_at = greatest(erasures.erased_at, excluded.erased_at),
             first_erased_at = least(erasures.first_erased_at, excluded.first_erased_at),
             subject = coalesce(erasures.subject, excluded.subject),
             erased_by = coalesce(erasures.erased_by, excluded.erased_by)`,
          [JSON.stringify(rows)],
        );
      }
    },

    /** Returns what operators have left out. */
    async skips(): Promise<ErasureSkip[]> {
      return db('erasure_skips').orderBy('until').select<ErasureSkip[]>('erased_by as username', 'since', 'until');
    },

    /** Leaves out again what operators have left out. Needs the rights of the owner. */
    async repeatSkips(skips: readonly ErasureSkip[]): Promise<void> {
      for (const { username, since, until } of skips) {
        await db.raw(
          `insert into erasure_skips (erased_by, since, until) select :username, :since, :until
           where not exists (
             select from erasure_skips where erased_by = :username and since = :since and until = :until
           )`,
          { username, since: since.toISOString(), until: until.toISOString() },
        );
      }
      await removeSkipped(db);
    },

    /**
     * Removes the erasures that an account has made since a time, now and when a list that has them is merged. An address
     * that the account had also erased before that time keeps the earlier time. Needs the rights of the owner.
     * @returns the number of addresses; 0 only if they were left out before
     * @throws {NoErasuresToSkip} the transaction must then roll back
     */
    async skip(username: string, since: Date): Promise<number> {
      const account = await db('staff')
        .whereRaw('lower(username) = lower(?)', [username])
        .first<{ id: string } | undefined>('id');
      const known = await db('erasure_skips').whereRaw('lower(erased_by) = lower(?)', [username]).first('id');
      await db('erasure_skips').insert({ erased_by: username, since, until: db.fn.now() });
      const addresses = await removeSkipped(db);
      if (addresses === 0 && !known) throw new NoErasuresToSkip(username, since, await this.authors());
      await auditLog(db).add({
        action: 'erasures_skipped',
        actor: 'operator',
        subjectId: account?.id,
        details: { addresses, since: since.getTime() },
      });
      return addresses;
    },

    /** Returns the usernames on the list. */
    async authors(): Promise<string[]> {
      return db('erasures').whereNotNull('erased_by').distinct().orderBy('erased_by').pluck<string[]>('erased_by');
    },

    /** Counts the erasures since a time by day and by account. */
    async countSince(since: Date): Promise<ErasureCount[]> {
      const { rows } = await db.raw<{ rows: ErasureCount[] }>(
        `select to_char(erased_at at time zone 'UTC', 'YYYY-MM-DD') as day, erased_by as "erasedBy",
                subject is not distinct from 'lead' as "isWithdrawal", count(*)::integer as count
         from erasures where erased_at > ? and subject is distinct from 'mailbox'
         group by 1, 2, 3 order by 1, 2 nulls first, 3`,
        [since],
      );
      return rows;
    },

    /** Returns a function that looks up the list as it is now; undefined if the list is empty. */
    async lookup(): Promise<ErasedAt | undefined> {
      const listed = await this.listed();
      if (listed.length === 0) return undefined;
      const times = new Map(listed.map(({ hash, erasedAt }) => [hash, erasedAt]));
      const keys = [...new Set(listed.map(({ key }) => key))];
      return (subject, text) =>
        keys
          .map((key) => times.get(hashOf(key, subject, text)))
          .reduce<Date | undefined>((latest, time) => (time && (!latest || time > latest) ? time : latest), undefined);
    },
  };
}

/**
 * Removes the entries that operators have left out.
 * @returns the number of addresses among those that are removed, or that keep an earlier time
 */
async function removeSkipped(db: Knex): Promise<number> {
  const isSkipped = `lower(erasures.erased_by) = lower(skip.erased_by) and erased_at between skip.since and skip.until`;
  const { rows } = await db.raw<{ rows: { count: number }[] }>(
    `with shortened as (
       update erasures set erased_at = first_erased_at from erasure_skips skip
       where ${isSkipped} and first_erased_at < skip.since
       returning subject
     ), removed as (
       delete from erasures using erasure_skips skip
       where ${isSkipped} and first_erased_at >= skip.since
       returning subject
     )
     select count(*)::integer as count from (select * from shortened union all select * from removed) as changed
     where subject = 'address'`,
  );
  return rows[0]?.count ?? 0;
}
