import { brand } from '@dune-tide/domain/brand';
import { leadDefinitions, type LeadKind } from '@dune-tide/domain/leads';
import { html } from '@dune-tide/platform/html';
import type { MailContent } from './mail-content.ts';
import { button, factList, paragraph, type Fact } from './mail-design.ts';
import { leadUrl, receivedAt, staffReason } from './lead-in-mail.ts';
import { mailLayout, textFooter } from './mail-layout.ts';
import { paragraphs, wrap } from './plain-text.ts';

/** The data of a notice: what staff need to decide whether the lead matters, and to find it. */
export interface StaffNotice {
  readonly kind: LeadKind;
  readonly leadId: string;
  /** The site's address. */
  readonly publicUrl: string;
  readonly createdAt: Date;
  /** The name, the company and the service, as the visitor typed them. */
  readonly facts: readonly Fact[];
}

/** The promise that the form made (docs/PRODUCT.md, "Response promise"). */
const summaries: Readonly<Record<LeadKind, string>> = {
  contact: 'The visitor was promised a reply soon.',
  service_inquiry: `The visitor was promised a reply within ${brand.responsePromiseHours} hours.`,
  career_application: 'The applicant was promised a reply soon.',
  portfolio_request: 'The visitor asked for the portfolio by email.',
};

const whereToAnswer =
  'A reply to this email goes to the address that the visitor entered. The lead’s page has everything the visitor sent.';

/**
 * Writes the email that notifies staff of a lead (docs/PRODUCT.md, "Emails"). What the visitor typed is in the body only:
 * the subject has the kind and the time.
 * @throws {TypeError} if `publicUrl` is not a URL
 */
export function staffNoticeMail({ kind, leadId, publicUrl, createdAt, facts }: StaffNotice): MailContent {
  const label = leadDefinitions[kind].labels.sentence;
  const name = label.toLowerCase();
  const url = leadUrl(publicUrl, leadId);
  const { time, timeWithSeconds } = receivedAt(createdAt);
  // The kind is first because mail programs cut off the end. The seconds keep them from grouping notices by subject.
  const subject = `New ${name}, ${timeWithSeconds} – ${brand.name}`;
  const summary = summaries[kind];
  const rows = [{ term: 'Kind', description: label }, ...facts, { term: 'Received', description: time }];
  return {
    subject,
    html: mailLayout({
      title: subject,
      preheader: `Received ${time}.`,
      heading: `New ${name}`,
      body: html`${paragraph(summary)}${factList(rows)}${button('Open the lead', url)}${paragraph(whereToAnswer)}`,
      reason: staffReason,
      publicUrl,
    }),
    text: paragraphs(
      wrap(summary),
      rows.map(({ term, description }) => wrap(`${term}: ${description}`, '  ')).join('\n'),
      url,
      wrap(whereToAnswer),
      ...textFooter({ reason: staffReason, publicUrl }),
    ),
  };
}
