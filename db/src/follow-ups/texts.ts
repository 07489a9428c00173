import { createHash } from 'node:crypto';
import type { Knex } from 'knex';

/** A text that many emails share. It contains nothing personal. */
export interface SharedText {
  /** 32 hexadecimal digits that follow from the content. */
  readonly id: string;
  readonly subject: string;
  readonly text: string;
}

/** The part of an email to staff that is about one lead. */
export interface LeadText {
  readonly leadId: string;
  readonly text: string;
}

export function sharedText(subject: string, text: string): SharedText {
  const id = createHash('sha256')
    .update(JSON.stringify([subject, text]))
    .digest('hex')
    .slice(0, 32);
  return { id, subject, text };
}

/**
 * Stores a notice's text, or the parts of a digest's text, with the notices of the leads (docs/PRODUCT.md, "Access").
 * Texts of an earlier attempt are replaced.
 * @param followUpId - the notice or the digest
 */
export type StoreLeadTexts = (followUpId: string, subject: string, texts: readonly LeadText[]) => Promise<void>;

/**
 * Returns a function that stores the texts of emails to staff.
 * @param db - a pool or a transaction
 */
export function leadTextStore(db: Knex): StoreLeadTexts {
  return async (followUpId, subject, texts) => {
    await db.raw(
      `insert into notice_texts (id, subject, text)
       select notice.id, :subject, part.text
       from unnest(:leadIds::uuid[], :texts::text[]) as part (lead_id, text)
       join follow_ups notice on notice.lead_id = part.lead_id and notice.kind = 'staff_notice'
       where notice.id = :followUpId
         or notice.id in (select id from digest_entries where digest_id = :followUpId)
       on conflict (id) do update set subject = excluded.subject, text = excluded.text`,
      {
        followUpId,
        subject,
        leadIds: texts.map(({ leadId }) => leadId),
        texts: texts.map(({ text }) => text),
      },
    );
  };
}
