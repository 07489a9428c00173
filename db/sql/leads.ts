import { experienceLevels } from '@dune-tide/domain/forms/career-application';
import { contactServices } from '@dune-tide/domain/forms/contact';
import { leadKinds, leadStatuses } from '@dune-tide/domain/leads';
import { maxLength } from '@dune-tide/domain/limits';
import { spamSigns } from '@dune-tide/domain/spam';
import { quoted } from '../src/lead-expressions/index.ts';
import { checks, lengthOf } from './statements.ts';

const valuesOf = (options: readonly { readonly value: string }[]): string => quoted(options.map(({ value }) => value));

/** The values of `leads`. */
export const leads = checks('leads', {
  leads_kind_known: `kind in (${quoted(leadKinds)})`,
  leads_email_length: lengthOf('email', 3, maxLength.email),
  leads_status_known: `status in (${quoted(leadStatuses)})`,
  leads_kinds_with_a_status: `
    case kind
      when 'portfolio_request' then status is null
      when 'service_inquiry' then status is not null
      else true
    end
  `,
  leads_spam_sign_known: `spam_sign in (${quoted(spamSigns)})`,
  leads_version_counts: 'version >= 1',
  leads_answers_are_an_object: `jsonb_typeof(answers) = 'object'`,
  leads_contact_answers: `
    kind <> 'contact' or (
      num_nulls(answers ->> 'firstName', answers ->> 'lastName', answers ->> 'message') = 0
      and coalesce(answers ->> 'service', '') in (${valuesOf(contactServices)})
    )
  `,
  leads_service_inquiry_answers: `
    kind <> 'service_inquiry' or
    num_nulls(
      answers ->> 'name', answers ->> 'service', answers ->> 'serviceType', answers ->> 'budget',
      answers ->> 'timeframe', answers ->> 'urgency', answers ->> 'projectDetails'
    ) = 0
  `,
  leads_career_application_answers: `
    kind <> 'career_application' or (
      num_nulls(
        answers ->> 'firstName', answers ->> 'lastName', answers ->> 'phone',
        answers ->> 'position', answers ->> 'coverLetter'
      ) = 0
      and coalesce(answers ->> 'experience', '') in (${valuesOf(experienceLevels)})
    )
  `,
  leads_portfolio_request_answers: `
    kind <> 'portfolio_request' or coalesce(answers ->> 'source', '') = 'portfolio_view'
  `,
});
