import type { StoredLead } from '@dune-tide/db/leads';
import { discoveryInquiryForm } from '@dune-tide/domain/forms/discovery';
import { inquiryFormFor } from '@dune-tide/domain/forms/inquiry-rules';
import { acknowledgementMail, acknowledgements, type Acknowledged } from '../mail/templates/acknowledgement-mail.ts';
import { perFollowUp, type Composer } from './composer.ts';

const contents = Object.fromEntries(
  acknowledgements.map((of) => [of, perFollowUp((site) => acknowledgementMail({ of, ...site }))]),
) as Readonly<Record<Acknowledged, ReturnType<typeof perFollowUp>>>;

/** Composes the acknowledgement of a lead. */
export const acknowledgement: Composer = async (followUp, dependencies) => ({
  ...contents[acknowledged(await dependencies.leadOf(followUp))](followUp, dependencies),
  autoSubmitted: 'auto-replied',
  replyTo: 'studio',
});

function acknowledged({ kind, answers }: StoredLead): Acknowledged {
  if (kind === 'portfolio_request') throw new TypeError('A portfolio request has no acknowledgement');
  if (kind !== 'service_inquiry') return kind;
  return inquiryFormFor(answers) === discoveryInquiryForm ? 'discovery_request' : kind;
}
