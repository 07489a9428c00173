import type { EmailKind, FollowUpState, WithheldReason } from '@dune-tide/domain/follow-ups';
import type { LeadStatus } from '@dune-tide/domain/leads';
import { mentionsIn } from '@dune-tide/domain/mentions';
import type { historyEntryResponse, noteResponse } from '@dune-tide/domain/responses/history';
import type { Presented } from '@dune-tide/domain/responses/schema';
import type { Knex } from 'knex';
import { newId } from '../connection/index.ts';
import { isEmail, isUndoable } from '../follow-ups/index.ts';
import { countActivity, type Person } from '../lead-expressions/index.ts';

export type HistoryEntry = Presented<typeof historyEntryResponse>;
export type Note = Presented<typeof noteResponse>;

/** An entry with its sort key. */
export interface PlacedEntry {
  readonly createdAt: Date;
  /** The entry's own id, except for `received`, which sorts before all others. */
  readonly id: string;
  readonly entry: HistoryEntry;
}

/** The sort key of an entry. */
export type HistoryPlace = Pick<PlacedEntry, 'createdAt' | 'id'>;

/**
 * The outcome of adding a note:
 * - `added`: the note is stored, now or by an earlier attempt with the same id
 * - `id_used`: another note has the id
 * - `unknown`: the lead does not exist
 */
export type NoteAddition =
  | { readonly outcome: 'added'; readonly note: Note }
  | { readonly outcome: 'id_used' }
  | { readonly outcome: 'unknown' };

/**
 * The outcome of changing a note:
 * - `done`: the change is stored, or the note had that text already
 * - `unknown`: the note does not exist or was deleted
 * - `not_author`: another account has written it
 * - `other_version`: the note has none of the expected versions
 */
export type NoteChange =
  | { readonly outcome: 'done'; readonly note: Note }
  | { readonly outcome: 'unknown' | 'not_author' | 'other_version' };

/** The part of an event's details that depends on its kind. */
interface Details {
  /** A status, an account or an address. */
  readonly from: Person | string | null;
  readonly to: Person | string | null;
  readonly text: string;
  readonly subject: string;
  readonly isUndoable: boolean;
  readonly withdrawnBy: Person | null;
  readonly email: EmailKind;
  readonly isOfLead: boolean;
}

interface HistoryRow {
  readonly place: string;
  readonly id: string;
  readonly kind: HistoryEntry['kind'];
  readonly at: Date;
  readonly actor: Person | null;
  readonly details: Details;
  readonly activity: number;
  readonly edits: number;
  readonly newText: string | null;
  readonly editedAt: Date | null;
  readonly deletedAt: Date | null;
  readonly email: EmailKind | null;
  readonly recipient: string | null;
  readonly state: FollowUpState | null;
  readonly nextTryAt: Date | null;
  readonly sentAt: Date | null;
  readonly updatedAt: Date | null;
  readonly serverAnswer: string | null;
  readonly withheldReason: WithheldReason | null;
  readonly withdrawnAt: Date | null;
}

/** Sorts before every other id. */
const firstPlace = '00000000-0000-0000-0000-000000000000';

/** Selects events, and notes with their later changes. Callers append a `where` clause. */
const events = `
  select event.id as place, event.id, event.kind, event.at,
         case when event.actor_id is not null
           then jsonb_build_object('id', event.actor_id, 'name', event.actor_name) end as actor,
         event.details, coalesce(greatest(event.activity, changes.activity), 0) as activity,
         coalesce(changes.count, 0)::integer as edits, changes."newText", changes."editedAt",
         changes."deletedAt", null as email, null as recipient, null as state, null::timestamptz as "nextTryAt",
         null::timestamptz as "sentAt", null::timestamptz as "updatedAt", null as "serverAnswer",
         null as "withheldReason", null::timestamptz as "withdrawnAt"
  from lead_events event
  left join lateral (
    select count(*) as count, max(change.activity) as activity,
           (array_agg(details ->> 'text' order by at desc, id desc) filter (where kind = 'note_edited'))[1] as "newText",
           max(at) filter (where kind = 'note_edited') as "editedAt",
           max(at) filter (where kind = 'note_deleted') as "deletedAt"
    from lead_events change where change.note_id = event.id
  ) as changes on event.kind = 'note'`;

/**
 * Reads the histories of leads, and adds notes to them. Stored events never change: an edit of a note adds another
 * event.
 * @param db - a pool or a transaction
 */
export function leadHistory(db: Knex) {
  async function noteOf(database: Knex, leadId: string, noteId: string): Promise<Note | undefined> {
    const { rows } = await database.raw<{ rows: HistoryRow[] }>(
      `${events} where event.id = :noteId and event.lead_id = :leadId and event.kind = 'note'`,
      { leadId, noteId },
    );
    return rows[0] && noteFrom(rows[0]);
  }

  return {
    /** Returns the number of entries; undefined if the lead does not exist. */
    async total(leadId: string): Promise<number | undefined> {
      const { rows } = await db.raw<{ rows: { total: number }[] }>(
        `select (1 + (select count(*) from lead_events where lead_id = leads.id and note_id is null)
                   + (select count(*) from follow_ups where lead_id = leads.id and ${isEmail()}))::integer as total
         from leads where id = :leadId`,
        { leadId },
      );
      return rows[0]?.total;
    },

    /**
     * Returns a page of the history of a lead, oldest first: its arrival, its emails and its events.
     * @param after - the last entry of the previous page; undefined for the first page
     */
    async page(leadId: string, limit: number, after?: HistoryPlace): Promise<PlacedEntry[]> {
      const beyond = (at: string, id: string): string =>
        after ? `and (${at}, ${id}) > (:createdAt::timestamptz, :id::uuid)` : '';
      const { rows } = await db.raw<{ rows: HistoryRow[] }>(
        `select * from (
           (${events}
            where event.lead_id = :leadId and event.note_id is null ${beyond('event.at', 'event.id')}
            order by event.at, event.id limit :limit)
           union all
           (select follow_ups.id, follow_ups.id, case when reply.id is null then 'email' else 'reply' end, created_at,
                   case when reply.id is not null
                     then jsonb_build_object('id', reply.author_id, 'name', reply.author_name) end,
                   case when reply.id is null then '{}' else jsonb_build_object(
                     'subject', reply.subject, 'text', reply.body, 'isUndoable', ${isUndoable},
                     'withdrawnBy', case when reply.withdrawn_at is not null
                       then jsonb_build_object('id', reply.withdrawn_by_id, 'name', reply.withdrawn_by_name) end
                   ) end,
                   coalesce(reply.activity, 0), 0, null, null, null, kind, recipient, state, case when state = 'pending' then available_at end,
                   sent_at, updated_at, server_answer, withheld_reason, reply.withdrawn_at
            from follow_ups left join lead_replies reply on reply.id = follow_ups.id
            where lead_id = :leadId and ${isEmail()} ${beyond('created_at', 'follow_ups.id')}
            order by created_at, follow_ups.id limit :limit)
           union all
           select '${firstPlace}', id, 'received', created_at, null, '{}', 0, 0, null, null, null, null, null, null, null,
                  null, null, null, null, null
           from leads where id = :leadId ${beyond('created_at', `'${firstPlace}'::uuid`)}
         ) as entries
         order by at, place limit :limit`,
        { leadId, limit, ...(after && { createdAt: after.createdAt.toISOString(), id: after.id }) },
      );
      return rows.map((row) => ({ createdAt: row.at, id: row.place, entry: entryFrom(row) }));
    },

    /**
     * Adds a note. A trigger notifies the accounts that it mentions.
     * @param id - a new id, or the id of an earlier attempt
     */
    async addNote(id: string, leadId: string, text: string, author: Person): Promise<NoteAddition> {
      const { rowCount } = await db.raw<{ rowCount: number }>(
        `with ${countActivity('array[:leadId::uuid]')}
         insert into lead_events (id, lead_id, kind, actor_id, actor_name, details, activity)
         select :id, acted.id, 'note', :authorId, :authorName, jsonb_build_object('text', :content::text, 'mentions', :mentions::jsonb), activity
         from acted
         on conflict (id) do nothing`,
        {
          id,
          leadId,
          content: text,
          mentions: JSON.stringify(await mentionedIn(db, text)),
          authorId: author.id,
          authorName: author.name,
        },
      );
      const note = await noteOf(db, leadId, id);
      // Once the note was edited, its text cannot be compared with that of the earlier attempt.
      const isSame = note?.actor?.id === author.id && (note.version > 1 || note.text === text);
      if (note && (rowCount === 1 || isSame)) return { outcome: 'added', note };
      const lead = await db('leads').where({ id: leadId }).first<object | undefined>('id');
      return { outcome: lead ? 'id_used' : 'unknown' };
    },

    /**
     * Edits or deletes a note of its author. A trigger notifies the accounts that it newly mentions.
     * @param text - the new text; null to delete the note
     * @param versions - the versions that the note may have; undefined for any version
     */
    async changeNote(
      leadId: string,
      noteId: string,
      text: string | null,
      author: Person,
      versions?: readonly number[],
    ): Promise<NoteChange> {
      return db.transaction(async (transaction): Promise<NoteChange> => {
        // Events are append-only, so the lock on the lead makes concurrent changes of a note wait for each other.
        await transaction('leads').where({ id: leadId }).forNoKeyUpdate().first('id');
        const note = await noteOf(transaction, leadId, noteId);
        if (!note || note.deletedAt !== null) return { outcome: 'unknown' };
        if (note.actor?.id !== author.id) return { outcome: 'not_author' };
        if (versions && !versions.includes(note.version)) return { outcome: 'other_version' };
        if (note.text !== text) {
          await transaction.raw(
            `with ${countActivity('array[:leadId::uuid]')}
             insert into lead_events (id, lead_id, kind, actor_id, actor_name, note_id, details, activity)
             select :id, acted.id, :kind, :authorId, :authorName, :noteId, :details::jsonb, activity from acted`,
            {
              // Events with the same time sort by id, so the id must be newer than those of earlier edits.
              id: newId(),
              leadId,
              noteId,
              kind: text === null ? 'note_deleted' : 'note_edited',
              authorId: author.id,
              authorName: author.name,
              details: JSON.stringify(text === null ? {} : { text, mentions: await mentionedIn(transaction, text) }),
            },
          );
        }
        const changed = await noteOf(transaction, leadId, noteId);
        return changed ? { outcome: 'done', note: changed } : { outcome: 'unknown' };
      });
    },
  };
}

/** Returns the ids of the active accounts that a text mentions. */
async function mentionedIn(db: Knex, text: string): Promise<readonly string[]> {
  if (!/[@＠]/u.test(text)) return [];
  const accounts = await db('staff')
    .where({ is_active: true })
    .orderBy('id')
    .select<{ readonly id: string; readonly username: string }[]>('id', 'username');
  const mentions = mentionsIn(
    text,
    accounts.map(({ username }) => username),
  );
  const mentioned = new Set(mentions.map(({ username }) => username));
  return accounts.filter(({ username }) => mentioned.has(username)).map(({ id }) => id);
}

function noteFrom({ id, at, actor, activity, details, edits, newText, editedAt, deletedAt }: HistoryRow): Note {
  const text = deletedAt === null ? (newText ?? details.text) : null;
  return { kind: 'note', id, at, actor, activity, text, editedAt, deletedAt, version: edits + 1 };
}

/** The constraints of the tables guarantee the details of each kind. */
function entryFrom(row: HistoryRow): HistoryEntry {
  const { id, kind, at, actor, activity, details } = row;
  const every = { id, at, actor, activity };
  switch (kind) {
    case 'note':
      return noteFrom(row);
    case 'status':
      return { kind, ...every, from: details.from as LeadStatus, to: details.to as LeadStatus };
    case 'owner':
      return { kind, ...every, from: details.from as Person | null, to: details.to as Person | null };
    case 'email': {
      const { email, recipient, state, nextTryAt, sentAt, updatedAt, serverAnswer, withheldReason } = row;
      if (email === null || state === null || updatedAt === null) throw new Error('An email lacks a value');
      return {
        kind,
        ...every,
        email,
        recipient,
        state,
        nextTryAt,
        sentAt,
        updatedAt,
        serverAnswer,
        withheldReason,
      };
    }
    case 'reply': {
      const { recipient, state, nextTryAt, sentAt, updatedAt, serverAnswer, withdrawnAt } = row;
      if (recipient === null || state === null || updatedAt === null) throw new Error('A reply lacks a value');
      const { subject, text, isUndoable: canBeUndone, withdrawnBy } = details;
      return {
        kind,
        ...every,
        subject,
        text,
        recipient,
        state,
        isUndoable: canBeUndone,
        nextTryAt,
        sentAt,
        updatedAt,
        serverAnswer,
        withdrawnAt,
        withdrawnBy,
      };
    }
    case 'address_corrected': {
      const { email, from, to, isOfLead } = details;
      return { kind, ...every, email, from: from as string, to: to as string, isOfLead };
    }
    case 'received':
    case 'answered':
    case 'not_answered':
    case 'spam':
    case 'released':
      return { kind, ...every };
  }
}
