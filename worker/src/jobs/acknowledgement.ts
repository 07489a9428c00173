import type { ClaimedFollowUp } from '@dune-tide/db/follow-up-claims';
import { discoveryInquiryForm } from '@dune-tide/domain/forms/discovery';
import { inquiryFormFor } from '@dune-tide/domain/forms/inquiry-rules';
import { acknowledgementMail, acknowledgements, type Acknowledged } from '../mails/acknowledgement-mail.ts';
import type { MailContent } from '../mails/mail-content.ts';
import { oncePerSite, type ComposeMail } from '../compose.ts';

const contents = oncePerSite(
  (publicUrl) =>
    Object.fromEntries(acknowledgements.map((of) => [of, acknowledgementMail({ of, publicUrl })])) as Readonly<
      Record<Acknowledged, MailContent>
    >,
);

/** Tells a visitor that the lead arrived, in none of the visitor's own words. */
export const acknowledgement: ComposeMail = async (followUp, { publicUrl }) => ({
  content: contents(publicUrl)[acknowledged(followUp)],
  autoSubmitted: 'auto-replied',
});

function acknowledged({ leadKind, leadService: service, leadServiceType: serviceType }: ClaimedFollowUp): Acknowledged {
  if (leadKind === 'portfolio_request') throw new TypeError('A portfolio request owes no acknowledgement');
  if (leadKind !== 'service_inquiry') return leadKind;
  return inquiryFormFor({ service, serviceType }) === discoveryInquiryForm ? 'discovery_request' : leadKind;
}
