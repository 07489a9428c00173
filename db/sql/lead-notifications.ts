import { leadEmailChoices } from '@dune-tide/domain/lead-emails';
import { quoted } from '../src/lead-expressions/index.ts';
import { checks } from './statements.ts';

/** Whether a notification of an account waits for an email. */
const waitsForEmail = `staff.lead_emails <> 'never' and staff.email is not null`;

/** Within this time, a lead that the same person gives back was taken by mistake. */
const undoTime = `interval '1 minute'`;

/**
 * The notifications of accounts (docs/PRODUCT.md, "Notifications"). A trigger on the history writes them, in the
 * transaction of the change, so that every way to change an owner or a note has them, also in the previous release.
 */
export const leadNotifications = [
  ...checks('staff', { staff_lead_emails_known: `lead_emails in (${quoted(leadEmailChoices)})` }),
  ...checks('lead_notifications', {
    lead_notifications_in_one_email: 'not waits_for_email or follow_up_id is null',
  }),
  `
  create function notify_accounts() returns trigger language plpgsql as $$
  begin
    if not exists (select from added where kind in ('owner', 'note', 'note_edited', 'note_deleted')) then
      return null;
    end if;

    -- Kept for a moment, because the change may be undone.
    update lead_notifications n set withdrawn_at = clock_timestamp()
    from added
    where added.kind = 'owner' and n.lead_id = added.lead_id and n.note_id is null and n.withdrawn_at is null
      and n.staff_id::text is distinct from added.details #>> '{to,id}';
    update lead_notifications n set withdrawn_at = null
    from added
    where added.kind = 'owner' and n.lead_id = added.lead_id and n.note_id is null
      and n.staff_id::text = added.details #>> '{to,id}' and n.withdrawn_at > now() - ${undoTime};

    insert into lead_notifications (staff_id, lead_id, waits_for_email)
    select staff.id, added.lead_id, ${waitsForEmail}
    from added join staff on staff.id::text = added.details #>> '{to,id}' and staff.is_active
    where added.kind = 'owner' and staff.id is distinct from added.actor_id
      and not exists (
        select from lead_events earlier
        where earlier.lead_id = added.lead_id and earlier.kind = 'owner' and earlier.id <> added.id
          and earlier.at > now() - ${undoTime} and earlier.actor_id = added.actor_id
          and earlier.details #>> '{from,id}' = staff.id::text
      )
    on conflict (lead_id, staff_id, coalesce(note_id, lead_id)) do update set
      created_at = excluded.created_at, waits_for_email = excluded.waits_for_email, follow_up_id = null,
      withdrawn_at = null;

    delete from lead_notifications n using added
    where added.kind in ('note_edited', 'note_deleted') and n.lead_id = added.lead_id and n.note_id = added.note_id
      -- The previous release edits notes without looking for mentions.
      and (added.kind = 'note_deleted' or not added.details -> 'mentions' @> to_jsonb(n.staff_id));

    insert into lead_notifications (staff_id, lead_id, note_id, waits_for_email)
    select staff.id, added.lead_id, coalesce(added.note_id, added.id), ${waitsForEmail}
    from added
    cross join lateral jsonb_array_elements_text(added.details -> 'mentions') as mention (id)
    join staff on staff.id::text = mention.id and staff.is_active
    where added.kind in ('note', 'note_edited') and staff.id is distinct from added.actor_id
      and not exists (
        select from lead_events earlier
        where (earlier.id = added.note_id or earlier.note_id = added.note_id) and earlier.id <> added.id
          and earlier.details -> 'mentions' @> to_jsonb(mention.id)
      )
    on conflict (lead_id, staff_id, coalesce(note_id, lead_id)) do nothing;
    return null;
  end
  $$
  `,
  `
  create trigger lead_events_notify after insert on lead_events
    referencing new table as added for each statement execute function notify_accounts()
  `,
];
