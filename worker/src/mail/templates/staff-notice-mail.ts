import { brand } from '@dune-tide/domain/brand';
import { leadKindLabels } from '@dune-tide/domain/lead-labels';
import type { LeadKind } from '@dune-tide/domain/leads';
import { html } from '@dune-tide/platform/html';
import type { MailContent } from './mail-content.ts';
import { button, factList, paragraph } from './mail-design.ts';
import { mailLayout, textFooter } from './mail-layout.ts';
import { paragraphs, wrap } from './plain-text.ts';

/** What staff need to find a lead, and nothing of the person behind it. */
export interface StaffNotice {
  readonly kind: LeadKind;
  readonly leadId: string;
  /** The site's own address. */
  readonly publicUrl: string;
  readonly createdAt: Date;
}

const timeFormat = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'long',
  timeStyle: 'short',
  hourCycle: 'h23',
  timeZone: 'UTC',
});
const shortTimeFormat = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

/** The lead's page in the staff area. */
function leadUrl(publicUrl: string, leadId: string): string {
  return new URL(`/admin/leads/${encodeURIComponent(leadId)}`, publicUrl).href;
}

/**
 * Tells staff that a lead came in (decisions, "Follow-ups"). Mail travels and is kept outside the staff area, so it
 * names the kind and links to the lead, and carries no personal data.
 * @param notice - see {@link StaffNotice}
 * @throws TypeError - when `publicUrl` is no URL
 */
export function staffNoticeMail({ kind, leadId, publicUrl, createdAt }: StaffNotice): MailContent {
  const name = leadKindLabels[kind].toLowerCase();
  const url = leadUrl(publicUrl, leadId);
  const time = `${timeFormat.format(createdAt)} UTC`;
  // The mail with the portfolio answers for us.
  const isPromised = kind !== 'portfolio_request';
  // What tells it from others comes first: lists cut the end. With the time, because mail programs fold mails of one
  // subject into one conversation.
  const subject = `New ${name}, ${shortTimeFormat.format(createdAt)} UTC – ${brand.name}`;
  const summary = isPromised
    ? `Someone is waiting for an answer, which is promised within ${brand.responsePromiseHours} hours.`
    : 'It is waiting for you in the staff area.';
  const facts = [
    { term: 'Kind', description: leadKindLabels[kind] },
    { term: 'Received', description: time },
  ];
  const reason = `You are receiving this email because this is the staff address of ${brand.name}.`;
  return {
    subject,
    html: mailLayout({
      title: subject,
      preheader: `Received on ${time}.`,
      heading: `A new ${name} came in`,
      body: html`${paragraph(summary)}${factList(facts)}${button('Open the lead', url)}`,
      reason,
      publicUrl,
    }),
    text: paragraphs(
      wrap(summary),
      facts.map(({ term, description }) => `${term}: ${description}`).join('\n'),
      url,
      ...textFooter({ reason, publicUrl }),
    ),
  };
}
