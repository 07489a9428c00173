import { createHmac, hash, randomBytes } from 'node:crypto';
import type { AuditAction } from '@dune-tide/domain/audit-actions';
import { auditedRefusalsPerHour } from '@dune-tide/domain/limits';
import type { Knex } from 'knex';

/** An entry of the audit log. It holds ids, numbers and words of the program, never what a visitor or a member typed. */
export interface AuditEntry {
  readonly action: AuditAction;
  /** Staff by the id of their account; `unknown` before a sign-in. */
  readonly actor: { readonly id: string } | 'operator' | 'system' | 'unknown';
  /** The id of what the action affects, e.g. of an account or a lead. */
  readonly subjectId?: string | undefined;
  readonly details?: Readonly<Record<string, number | boolean | string>> | undefined;
  /** Where a sign-in or a refused request came from. */
  readonly origin?: AuditOrigin | undefined;
}

/** Where a request came from, as far as it is known. */
export interface AuditOrigin {
  /** The /24 network of an IPv4 address, or the /48 network of an IPv6 address. */
  readonly network: string | null;
  /** The browser and the system, e.g. "Firefox on Windows". */
  readonly device: string | null;
}

/** Refused sign-ins with unknown usernames that are recorded in 15 minutes, so that guesses cannot fill the disk. */
const unknownSignIns = 100;

/**
 * Writes entries of the audit log (docs/PRODUCT.md, "Audit log").
 * @param db - the transaction of the change that the entries report; a pool if there is none
 */
export function auditLog(db: Knex) {
  /** @param condition - a condition under which the entry is written */
  async function add({ action, actor, subjectId, details, origin }: AuditEntry, condition = 'true'): Promise<void> {
    await db.raw(
      `with entry as (
         insert into audit_log (action, actor, actor_id, subject_id, details)
         select :action, :actor, :actorId::uuid, :subjectId::uuid, :details::jsonb where ${condition}
         returning id
       )
       insert into audit_origins (entry_id, key, network, device)
       select id, :key, :network, :device from entry where :key::text is not null`,
      {
        action,
        actor: typeof actor === 'string' ? actor : 'staff',
        actorId: typeof actor === 'string' ? null : actor.id,
        subjectId: subjectId ?? null,
        ...sealed(origin, details),
      },
    );
  }

  /** A condition: fewer than `limit` entries of the action report the subject of the entry. */
  const fewerThan = (limit: number, interval: string, { action, subjectId }: AuditEntry): string => `(
    select count(*) from audit_log where action = '${action}' and at > now() - interval '${interval}'
      and subject_id ${subjectId === undefined ? 'is null' : '= :subjectId::uuid'}
  ) < ${limit}`;

  return {
    add: (entry: AuditEntry): Promise<void> => add(entry),

    /** Records a refused sign-in. Without a subject the username is unknown; those are recorded only up to a limit. */
    async addRefusedSignIn(origin: AuditOrigin, subjectId?: string): Promise<void> {
      const entry: AuditEntry = { action: 'sign_in_refused', actor: 'unknown', subjectId, origin };
      await add(entry, subjectId === undefined ? fewerThan(unknownSignIns, '15 minutes', entry) : 'true');
    },

    /** Records a refusal, up to `auditedRefusalsPerHour` entries of the action for one subject. */
    async addRefusal(entry: AuditEntry): Promise<void> {
      await add(entry, fewerThan(auditedRefusalsPerHour, '1 hour', entry));
    },

    /**
     * Adds an entry of an account, unless the account has `perHour` entries of the action within an hour. Concurrent calls on
     * several processes cannot exceed that.
     * @param perHour - undefined for no limit
     * @returns the seconds after which the account may add one; undefined if the entry was added
     */
    async addWithin(
      perHour: number | undefined,
      entry: AuditEntry & { readonly actor: { readonly id: string } },
    ): Promise<number | undefined> {
      if (perHour === undefined) {
        await add(entry);
        return undefined;
      }
      const { action, actor } = entry;
      return db.transaction(async (transaction) => {
        await transaction('staff').where({ id: actor.id }).forNoKeyUpdate().first('id');
        const { rows } = await transaction.raw<{ rows: { seconds: number }[] }>(
          `select ceil(extract(epoch from at + interval '1 hour' - statement_timestamp()))::integer as seconds
           from audit_log
           where action = :action and actor_id = :actorId and at > statement_timestamp() - interval '1 hour'
           order by at desc offset :others::integer limit 1`,
          { action, actorId: actor.id, others: perHour - 1 },
        );
        if (rows[0]) return rows[0].seconds;
        await auditLog(transaction).add(entry);
        return undefined;
      });
    },
  };
}

/**
 * Runs a change and writes its entry in one transaction.
 * @param db - a pool or a transaction
 * @param entryOf - returns the entry of the change; none if nothing was changed
 */
export async function audited<Result>(
  db: Knex,
  change: (transaction: Knex.Transaction) => Promise<Result>,
  entryOf: (result: Result) => AuditEntry | false | undefined,
): Promise<Result> {
  return db.transaction(async (transaction) => {
    const result = await change(transaction);
    const entry = entryOf(result);
    if (entry) await auditLog(transaction).add(entry);
    return result;
  });
}

/**
 * Returns the values of an origin's row, and the details of its entry. They hold an HMAC of the origin with a random
 * key, so that the chain of the entries covers the origin and tells nothing about it once its row is deleted.
 */
export function sealed(origin: AuditOrigin | undefined, details: AuditEntry['details'] = {}) {
  if (!origin) return { key: null, network: null, device: null, details: JSON.stringify(details) };
  const key = randomBytes(32).toString('hex');
  return { key, ...origin, details: JSON.stringify({ ...details, origin: sealOf(key, origin) }) };
}

function sealOf(key: string, { network, device }: AuditOrigin): string {
  return createHmac('sha256', Buffer.from(key, 'hex'))
    .update(JSON.stringify([network, device]))
    .digest('hex');
}

/** A place in the chain that was noted earlier. */
export interface AuditHead {
  readonly position: number;
  readonly hash: string;
}

/**
 * The result of checking the chain:
 * - `whole`: no entry was changed or removed, except by the retention; `head` is the last entry
 * - `broken`: the entry at `position` is missing, was changed, or does not continue the entry before it
 * - `other_hash`: the chain is whole, but the entry at `position` has another hash than the noted one
 * - `other_origin`: the chain is whole, but the network or the device of the entry at `position` was changed
 */
export type AuditCheck =
  | { readonly outcome: 'whole'; readonly entries: number; readonly head: AuditHead | undefined }
  | { readonly outcome: 'broken' | 'other_hash' | 'other_origin'; readonly position: number };

interface ChainedRow {
  readonly position: string;
  readonly hash: string;
  /** The members that the hash covers, in their order. */
  readonly members: readonly string[];
  readonly action: string;
  readonly details: { readonly position?: number; readonly hash?: string };
}

/** The largest number of entries that are read together. */
const readTogether = 10_000;

/**
 * Checks the hash chain of the audit log. The hashes are computed here, not by the database, so that a changed function
 * of the database cannot hide a change.
 * @param noted - a head that an earlier check returned: the entry must still be there, so newer ones that were removed
 *   from the end, or a chain that was computed again, are found
 */
export async function checkAuditLog(db: Knex, noted?: AuditHead): Promise<AuditCheck> {
  const marks = new Map<number, string>();
  let first: { readonly position: number; readonly start: ChainedRow } | undefined;
  let head: AuditHead | undefined;
  let entries = 0;
  let notedHash: string | undefined;
  for (;;) {
    const rows = await readAfter(db, head?.position ?? 0);
    for (const row of rows) {
      const position = Number(row.position);
      // The hash before the first entry is known only when all marks of the retention have been read.
      if (!first) first = { position, start: row };
      else if (position !== (head?.position ?? 0) + 1)
        return { outcome: 'broken', position: (head?.position ?? 0) + 1 };
      else if (hashOf(head?.hash ?? '', row) !== row.hash) return { outcome: 'broken', position };
      if (row.action === 'audit_entries_removed' && row.details.position !== undefined) {
        marks.set(row.details.position, row.details.hash ?? '');
      }
      if (position === noted?.position) notedHash = row.hash;
      head = { position, hash: row.hash };
      entries++;
    }
    if (rows.length < readTogether) break;
  }
  if (first) {
    const before = first.position === 1 ? '' : marks.get(first.position - 1);
    if (before === undefined) return { outcome: 'broken', position: 1 };
    if (hashOf(before, first.start) !== first.start.hash) return { outcome: 'broken', position: first.position };
  }
  const wasRemovedByRetention = noted !== undefined && first !== undefined && noted.position < first.position;
  if (noted && !wasRemovedByRetention && notedHash !== noted.hash)
    return { outcome: notedHash === undefined ? 'broken' : 'other_hash', position: noted.position };
  const position = await forgedOrigin(db);
  return position === undefined ? { outcome: 'whole', entries, head } : { outcome: 'other_origin', position };
}

/** Returns the position of the first entry whose network and device are not those that its HMAC covers. */
async function forgedOrigin(db: Knex): Promise<number | undefined> {
  for (let position = '0'; ;) {
    const { rows } = await db.raw<{
      rows: (AuditOrigin & { readonly position: string; readonly key: string; readonly seal: string | null })[];
    }>(
      `select position, key, network, device, details ->> 'origin' as seal
       from audit_origins join audit_log on audit_log.id = entry_id
       where position > ? order by position limit ${readTogether}`,
      [position],
    );
    const forged = rows.find(({ key, seal, ...origin }) => sealOf(key, origin) !== seal);
    if (forged) return Number(forged.position);
    position = rows.at(-1)?.position ?? position;
    if (rows.length < readTogether) return undefined;
  }
}

/** Returns the last entry of the chain; undefined if there is none. */
export async function auditHead(db: Knex): Promise<AuditHead | undefined> {
  const row = await db('audit_log')
    .whereNotNull('position')
    .orderBy('position', 'desc')
    .first<{ position: string; hash: string } | undefined>('position', 'hash');
  return row && { position: Number(row.position), hash: row.hash };
}

/** Returns the time of the last restore that the log reports. */
export async function lastRestore(db: Knex): Promise<Date | undefined> {
  const row = await db('audit_log')
    .where({ action: 'backup_restored' })
    .orderBy('position', 'desc')
    .first<{ at: Date } | undefined>('at');
  return row?.at;
}

async function readAfter(db: Knex, position: number): Promise<readonly ChainedRow[]> {
  const { rows } = await db.raw<{ rows: ChainedRow[] }>(
    `select position, hash, action, details, array[
       position::text, id::text, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), actor,
       coalesce(actor_id::text, ''), action, coalesce(subject_id::text, ''), details::text
     ] as members
     from audit_log where position > ? order by position limit ${readTogether}`,
    [position],
  );
  return rows;
}

function hashOf(previous: string, { members }: ChainedRow): string {
  return hash('sha256', [previous, ...members].join('\n'), 'hex');
}
