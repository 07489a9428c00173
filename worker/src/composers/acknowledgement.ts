import type { StoredLead } from '@dune-tide/db/leads';
import { discoveryInquiryForm } from '@dune-tide/domain/forms/discovery';
import { isWorked, leadDefinitions } from '@dune-tide/domain/leads';
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

function acknowledged({ kind, fields }: StoredLead): Acknowledged {
  if (!isWorked(kind)) throw new TypeError(`A ${kind} has no acknowledgement`);
  return leadDefinitions[kind].formOf(fields) === discoveryInquiryForm ? 'discovery_request' : kind;
}
