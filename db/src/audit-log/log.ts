import { hash } from 'node:crypto';
import type { Knex } from 'knex';

/** The actions that the program reports. A trigger adds those of `lead_events`, as `lead_` and the kind of the event. */
export type AuditAction =
  | 'signed_in'
  | 'sign_in_refused'
  | 'signed_out'
  | 'member_added'
  | 'member_activated'
  | 'member_deactivated'
  | 'made_owner'
  | 'made_member'
  | 'email_set'
  | 'name_set'
  | 'password_set'
  | 'password_changed'
  | 'password_refused'
  | 'session_ended'
  | 'devices_ended'
  | 'second_factor_added'
  | 'second_factor_removed'
  | 'second_factor_refused'
  | 'recovery_code_used'
  | 'recovery_codes_replaced'
  | 'lead_reply_written'
  | 'lead_reply_withdrawn'
  | 'leads_exported'
  | 'backup_restored'
  | 'person_exported'
  | 'person_erased'
  | 'lead_withdrawn'
  | 'leads_expired';

/** An entry of the audit log. It holds ids and numbers, never what a visitor or a member typed. */
export interface AuditEntry {
  readonly action: AuditAction;
  /** Staff by the id of their account; `unknown` before a sign-in. */
  readonly actor: { readonly id: string } | 'operator' | 'system' | 'unknown';
  /** The account or lead that the action affects. */
  readonly subjectId?: string | undefined;
  readonly details?: Readonly<Record<string, number | boolean>>;
}

/** Refused sign-ins with unknown usernames that are recorded in 15 minutes, so that guesses cannot fill the disk. */
const unknownSignIns = 100;

/**
 * Writes entries of the audit log (docs/PRODUCT.md, "Audit log").
 * @param db - the transaction of the change that the entries report; a pool if there is none
 */
export function auditLog(db: Knex) {
  return {
    async add({ action, actor, subjectId, details = {} }: AuditEntry): Promise<void> {
      await db('audit_log').insert({
        action,
        actor: typeof actor === 'string' ? actor : 'staff',
        actor_id: typeof actor === 'string' ? null : actor.id,
        subject_id: subjectId ?? null,
        details: JSON.stringify(details),
      });
    },

    /**
     * Records a refused sign-in. Unknown usernames are recorded only up to a limit.
     * @param accountId - undefined if the username is unknown
     */
    async addRefusedSignIn(accountId: string | undefined): Promise<void> {
      if (accountId !== undefined) {
        return this.add({ action: 'sign_in_refused', actor: 'unknown', subjectId: accountId });
      }
      await db.raw(
        `insert into audit_log (action, actor)
         select 'sign_in_refused', 'unknown'
         where (
           select count(*) from audit_log
           where action = 'sign_in_refused' and subject_id is null and at > now() - interval '15 minutes'
         ) < ${unknownSignIns}`,
      );
    },
  };
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
 */
export type AuditCheck =
  | { readonly outcome: 'whole'; readonly entries: number; readonly head: AuditHead | undefined }
  | { readonly outcome: 'broken'; readonly position: number }
  | { readonly outcome: 'other_hash'; readonly position: number };

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
  return { outcome: 'whole', entries, head };
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
