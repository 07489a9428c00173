import { brand } from '@dune-tide/domain/brand';
import type { WorkedKind } from '@dune-tide/domain/leads';
import { html } from '@dune-tide/platform/html';
import type { MailContent } from './mail-content.ts';
import { figureBand, paragraph, textLink } from './mail-design.ts';
import { addressLink, mailLayout, textFooter } from './mail-layout.ts';
import { receiptParagraph, receiptText, type VisitorLinks } from './visitor-links.ts';
import { paragraphs, wrap } from './plain-text.ts';

/**
 * The kinds of acknowledgement. A discovery request has its own, because its promise differs from that of other inquiries.
 * A portfolio request has none, because it gets the portfolio.
 */
export type Acknowledged = WorkedKind | 'discovery_request';

export interface Acknowledgement extends VisitorLinks {
  readonly of: Acknowledged;
}

/** The text for one kind of lead. */
interface Wording {
  /** The noun for what arrived, as in "your message". */
  readonly received: string;
  readonly thanks: string;
  /** The promise of the form's success toast (docs/PRODUCT.md, "Response promise"). */
  readonly promise: string;
  /** The rest of the promise, below the promised time in large letters; left out where the toast names no time. */
  readonly afterTime?: string;
  readonly next: string;
}

const hours = `${brand.responsePromiseHours} hours`;

const wordings: Readonly<Record<Acknowledged, Wording>> = {
  contact: {
    received: 'message',
    thanks: 'Thank you for writing to us. Your message has arrived, and we read every one ourselves.',
    promise: 'We’ll get back to you soon.',
    next: 'The right person on our team will reply by email, and may have a few questions.',
  },
  service_inquiry: {
    received: 'inquiry',
    thanks:
      'Thank you for telling us about your plans. Your inquiry has arrived with all your answers, and we read it ourselves.',
    promise: `We’ll get back to you within ${hours} with a detailed proposal.`,
    afterTime: 'at most, until you have our detailed proposal',
    next: 'The proposal will describe what we would build, how long it would take and what it would cost.',
  },
  discovery_request: {
    received: 'discovery request',
    thanks:
      'Thank you for telling us about your organization. Your discovery request has arrived with all your answers, and we read it ourselves.',
    promise: `We’ll contact you within ${hours} to schedule your ROI assessment session.`,
    afterTime: 'at most, until we contact you to schedule your ROI assessment session',
    next: 'In the session we will go through the work that AI could do for you, what it would cost and what it would return.',
  },
  career_application: {
    received: 'application',
    thanks: 'Thank you for your interest. Your application has arrived.',
    promise: 'We’ll review your application and get back to you soon.',
    next: 'Our reply will explain the next steps.',
  },
};

/** Every kind of acknowledgement. */
export const acknowledgements = Object.keys(wordings) as Acknowledged[];

/**
 * Writes the email that acknowledges a lead (docs/PRODUCT.md, "Emails"). It contains none of the visitor's text, so that
 * the form cannot be used to send messages to other people.
 * @throws {TypeError} if `publicUrl` is not a URL
 */
export function acknowledgementMail({ of, publicUrl, unsubscribeUrl, receiptUrl }: Acknowledgement): MailContent {
  const { received, thanks, promise, afterTime, next } = wordings[of];
  const subject = `${brand.name} has received your ${received}`;
  const addition = 'Anything to add?';
  const look = 'See what we made for others';
  const workUrl = new URL('/#portfolio', publicUrl).href;
  const reason = `You are receiving this email because this address was entered in a form at ${brand.name}.`;
  return {
    subject,
    html: mailLayout({
      title: subject,
      preheader: promise,
      heading: `We have your ${received}`,
      body: html`${paragraph(thanks)}${afterTime === undefined ? paragraph(promise) : figureBand(hours, afterTime)}${paragraph(next)}${paragraph(html`${addition} Write to ${addressLink}.`)}${paragraph(textLink(look, workUrl))}${receiptParagraph(receiptUrl)}`,
      reason,
      unsubscribeUrl,
      publicUrl,
    }),
    text: paragraphs(
      wrap(thanks),
      wrap(promise),
      wrap(next),
      wrap(`${addition} Write to ${brand.email}.`),
      `${look}:\n${workUrl}`,
      receiptText(receiptUrl),
      ...textFooter({ reason, unsubscribeUrl, publicUrl }),
    ),
  };
}
