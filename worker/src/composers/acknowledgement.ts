import type { StoredLead } from '@dune-tide/db/lead-lists';
import { discoveryInquiryForm } from '@dune-tide/domain/forms/discovery';
import { inquiryFormFor } from '@dune-tide/domain/forms/inquiry-rules';
import { acknowledgementMail, acknowledgements, type Acknowledged } from '../mail/templates/acknowledgement-mail.ts';
import type { MailContent } from '../mail/templates/mail-content.ts';
import { oncePerSite, type Composer } from './composer.ts';

const contents = oncePerSite(
  (publicUrl) =>
    Object.fromEntries(acknowledgements.map((of) => [of, acknowledgementMail({ of, publicUrl })])) as Readonly<
      Record<Acknowledged, MailContent>
    >,
);

/** Composes the acknowledgement of a lead. */
export const acknowledgement: Composer = async (followUp, { leadOf, publicUrl }) => ({
  content: contents(publicUrl)[acknowledged(await leadOf(followUp))],
  autoSubmitted: 'auto-replied',
});

function acknowledged({ kind, answers }: StoredLead): Acknowledged {
  if (kind === 'portfolio_request') throw new TypeError('A portfolio request has no acknowledgement');
  if (kind !== 'service_inquiry') return kind;
  return inquiryFormFor(answers) === discoveryInquiryForm ? 'discovery_request' : kind;
}
