import { maxLength } from '@dune-tide/domain/limits';
import { checks, lengthOf } from './statements.ts';

/** The values of the history, the reminders, the replies and the saved views. */
export const leadWork = [
  ...checks('lead_events', {
    lead_events_kind_known: `
      kind in (
        'status', 'owner', 'answered', 'not_answered', 'note', 'note_edited', 'note_deleted', 'spam', 'released',
        'address_corrected'
      )
    `,
    lead_events_actor_has_a_name: '(actor_id is null) = (actor_name is null)',
    lead_events_details_are_an_object: `jsonb_typeof(details) = 'object'`,
    lead_events_changes_of_a_note: `(kind in ('note_edited', 'note_deleted')) = (note_id is not null)`,
    lead_events_notes_have_a_text: `
      kind not in ('note', 'note_edited')
      or coalesce(char_length(details ->> 'text'), 0) between 1 and ${maxLength.text}
    `,
  }),
  ...checks('lead_reminders', { lead_reminders_stage_known: `stage in ('soon', 'overdue')` }),
  ...checks('lead_replies', {
    lead_replies_subject_length: lengthOf('subject', 1, maxLength.subject),
    lead_replies_body_length: lengthOf('body', 1, maxLength.reply),
    lead_replies_withdrawn_by_a_person: 'num_nulls(withdrawn_at, withdrawn_by_id, withdrawn_by_name) in (0, 3)',
  }),
  ...checks('lead_views', {
    lead_views_name_length: lengthOf('name', 1, maxLength.viewName),
    lead_views_search_length: 'char_length(search) <= 2048',
  }),
];
