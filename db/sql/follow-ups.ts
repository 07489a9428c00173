import { emailKinds, followUpKinds, followUpStates, kindsOfLead, withheldReasons } from '@dune-tide/domain/follow-ups';
import { maxLength } from '@dune-tide/domain/limits';
import { quoted } from '../src/lead-expressions/index.ts';
import { checks, lengthOf } from './statements.ts';

/** The values of `follow_ups`. */
export const followUps = checks('follow_ups', {
  follow_ups_kind_known: `kind in (${quoted(followUpKinds)})`,
  follow_ups_state_known: `state in (${quoted(followUpStates)})`,
  follow_ups_withheld_reason_known: `withheld_reason in (${quoted(withheldReasons)})`,
  follow_ups_kinds_with_a_lead: `kind not in (${quoted(kindsOfLead)}) or lead_id is not null`,
  follow_ups_kinds_by_email: `kind not in (${quoted(emailKinds)}) or num_nulls(recipient, message_id) = 0`,
  follow_ups_webhooks_have_no_recipient: `kind <> 'webhook' or num_nonnulls(recipient, message_id) = 0`,
  follow_ups_recipient_length: lengthOf('recipient', 3, maxLength.email),
  follow_ups_message_id_form: `message_id ~ '^<[^<>@[:space:]]+@[^<>@[:space:]]+>$'`,
  follow_ups_message_id_names_its_row: `message_id like '<' || id || '@%'`,
  follow_ups_attempts_counted: 'attempts >= 0',
  follow_ups_lease_while_sending: `(state = 'sending') = (lease is not null)`,
  follow_ups_sent_has_a_time: `(state = 'sent') = (sent_at is not null)`,
});
