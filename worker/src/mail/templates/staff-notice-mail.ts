import { brand } from '@dune-tide/domain/brand';
import { leadKindLabels } from '@dune-tide/domain/lead-labels';
import type { LeadKind } from '@dune-tide/domain/leads';
import { html } from '@dune-tide/platform/html';
import type { MailContent } from './mail-content.ts';
import { button, factList, paragraph } from './mail-design.ts';
import { mailLayout, textFooter } from './mail-layout.ts';
import { paragraphs, wrap } from './plain-text.ts';

/** The data of a notice: what staff need to find the lead, and no personal data. */
export interface StaffNotice {
  readonly kind: LeadKind;
  readonly leadId: string;
  /** The site's address. */
  readonly publicUrl: string;
  readonly createdAt: Date;
}

const dateFormat = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: '2-digit',
  year: 'numeric',
  timeZone: brand.timeZone,
});
const timeOptions = {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: brand.timeZone,
  timeZoneName: 'short',
} as const;
const timeFormat = new Intl.DateTimeFormat('en-US', timeOptions);
const secondsFormat = new Intl.DateTimeFormat('en-US', { ...timeOptions, second: '2-digit' });

/** The promise that the form made (docs/PRODUCT.md, "Response promise"). */
const summaries: Readonly<Record<LeadKind, string>> = {
  contact: 'The visitor was promised a reply soon.',
  service_inquiry: `The visitor was promised a reply within ${brand.responsePromiseHours} hours.`,
  career_application: 'The applicant was promised a reply soon.',
  portfolio_request: 'The visitor asked for the portfolio by email.',
};

function leadUrl(publicUrl: string, leadId: string): string {
  return new URL(`/admin/leads/${encodeURIComponent(leadId)}`, publicUrl).href;
}

/**
 * Writes the email that notifies staff of a lead (docs/PRODUCT.md, "Emails"). Emails are stored outside the staff area, so
 * it contains the kind and a link, but no personal data.
 * @throws {TypeError} if `publicUrl` is not a URL
 */
export function staffNoticeMail({ kind, leadId, publicUrl, createdAt }: StaffNotice): MailContent {
  const name = leadKindLabels[kind].toLowerCase();
  const url = leadUrl(publicUrl, leadId);
  // The format of the staff area (frontend/src/format/dates.ts), and the zone.
  const date = dateFormat.format(createdAt);
  const time = `${date} ${timeFormat.format(createdAt)}`;
  // The kind is first because mail programs cut off the end. The seconds keep them from grouping notices by subject.
  const subject = `New ${name}, ${date} ${secondsFormat.format(createdAt)} – ${brand.name}`;
  const summary = summaries[kind];
  const facts = [
    { term: 'Kind', description: leadKindLabels[kind] },
    { term: 'Received', description: time },
  ];
  const reason = `You are receiving this email because this is the staff address of ${brand.name}.`;
  return {
    subject,
    html: mailLayout({
      title: subject,
      preheader: `Received ${time}.`,
      heading: `New ${name}`,
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
