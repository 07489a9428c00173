import { exportNotes, noText } from '@dune-tide/domain/content/personal-data-export';
import { followUpRules, type EmailKind, type FollowUpState } from '@dune-tide/domain/follow-ups';
import type { Knex } from 'knex';
import { isEmail } from '../follow-ups/index.ts';
import { owner, status } from '../lead-expressions/index.ts';
import { leadsOfAddress } from './personal-data.ts';
import { viewsThatName } from './saved-views.ts';

/** Leads that one statement reads. */
const leadsTogether = 50;

/** A lead with everything that belongs to it. */
const exported = `
  jsonb_build_object(
    'id', leads.id,
    'kind', kind,
    'email', email,
    'receivedAt', created_at,
    'updatedAt', updated_at,
    'status', ${status},
    'owner', ${owner},
    'answeredAt', answered_at,
    'spamSign', spam_sign,
    'answers', answers,
    'emails', coalesce((
      select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'kind', f.kind, 'recipient', f.recipient, 'messageId', f.message_id, 'state', f.state,
        'writtenAt', f.created_at, 'sentAt', f.sent_at, 'serverAnswer', f.server_answer,
        'withheldReason', f.withheld_reason, 'author', reply.author_name,
        'subject', coalesce(reply.subject, notice.subject, shared.subject),
        'text', coalesce(reply.body, notice.text, shared.text), 'withdrawnAt', reply.withdrawn_at
      )) order by f.created_at, f.id)
      from follow_ups f
      left join lead_replies reply on reply.id = f.id
      left join notice_texts notice on notice.id = f.id
      left join email_texts shared on shared.id = f.text_id
      where f.lead_id = leads.id and ${isEmail('f.kind')}
    ), '[]'),
    'reminders', coalesce((
      select jsonb_agg(
        jsonb_build_object('stage', reminder.stage, 'writtenAt', f.created_at, 'state', f.state, 'sentAt', f.sent_at)
        order by f.created_at
      )
      from lead_reminders reminder join follow_ups f on f.id = reminder.follow_up_id
      where reminder.lead_id = leads.id
    ), '[]'),
    'notifications', coalesce((
      select jsonb_agg(
        jsonb_build_object(
          'reason', case when n.note_id is null then 'assigned' else 'mentioned' end, 'at', n.created_at,
          'emailState', f.state, 'sentAt', f.sent_at
        ) order by n.created_at
      )
      from lead_notifications n left join follow_ups f on f.id = n.follow_up_id where n.lead_id = leads.id
    ), '[]'),
    'history', coalesce((
      select jsonb_agg(
        jsonb_build_object('kind', event.kind, 'at', event.at, 'author', event.actor_name, 'details', event.details)
        order by event.at, event.id
      )
      from lead_events event where event.lead_id = leads.id
    ), '[]'),
    'webhooks', coalesce((
      select jsonb_agg(
        jsonb_build_object('type', event.type, 'at', event.at, 'state', f.state, 'sentAt', f.sent_at)
        order by event.at, event.id
      )
      from webhook_events event join follow_ups f on f.id = event.id where event.lead_id = leads.id
    ), '[]')
  )`;

/**
 * Yields the parts of a JSON text with everything that is held about an address (docs/PRODUCT.md, "Access"). It is read
 * in pages, so memory stays flat.
 * @param email - in upper or lower case
 * @throws {DatabaseUnavailableError}
 */
export async function* personalDataExport(db: Knex, email: string): AsyncGenerator<string> {
  const { rows: optOuts } = await db.raw<{ rows: object[] }>(
    `select mailbox, created_at as at from email_opt_outs where mailbox = mailbox_of(?) order by created_at`,
    [email],
  );
  const { rows: recent } = await db.raw<{ rows: object[] }>(
    `select kind, mailbox, claimed_at as at from recent_emails where mailbox = mailbox_of(?) order by claimed_at`,
    [email],
  );
  const { rows: phones } = await db.raw<{ rows: { phone: string }[] }>(
    `select distinct answers ->> 'phone' as phone from leads where ${leadsOfAddress} and answers ->> 'phone' is not null`,
    { email, before: null },
  );
  const savedViews = await viewsThatName(db, { addresses: [email], phones: phones.map(({ phone }) => phone) });
  const head = { email, exportedAt: new Date(), notes: exportNotes, optOuts, recentEmails: recent, savedViews };
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "leads": [`;
  let isFirst = true;
  let page: readonly ExportedLead[];
  let last: string | null = null;
  do {
    page = await leadsAfter(db, email, last);
    for (const { lead } of page) {
      yield `${isFirst ? '' : ','}\n${JSON.stringify(withContent(lead), null, 2)}`;
      isFirst = false;
    }
    last = page.at(-1)?.id ?? null;
  } while (page.length === leadsTogether);
  yield '\n  ]\n}\n';
}

interface ExportedLead {
  readonly id: string;
  readonly lead: { readonly emails: readonly ExportedEmail[] };
}

interface ExportedEmail {
  readonly kind: EmailKind;
  readonly state: FollowUpState;
  readonly text?: string;
  readonly [member: string]: unknown;
}

/** Adds a description to an email without a text. */
function withContent(lead: ExportedLead['lead']): object {
  const emails = lead.emails.map((email) => {
    const { content } = followUpRules[email.kind];
    if (content === null || email.text !== undefined) return email;
    return { ...email, ...(email.state === 'sent' && { textNote: noText }), content };
  });
  return { ...lead, emails };
}

async function leadsAfter(db: Knex, email: string, last: string | null): Promise<ExportedLead[]> {
  const { rows } = await db.raw<{ rows: ExportedLead[] }>(
    `select leads.id, ${exported} as lead from leads
     where ${leadsOfAddress} and (:last::uuid is null or leads.id > :last::uuid)
     order by leads.id limit ${leadsTogether}`,
    { email, before: null, last },
  );
  return rows;
}
