import { brand } from '@dune-tide/domain/brand';
import { leadKinds } from '@dune-tide/domain/leads';
import { html } from './html.ts';
import type { MailContent } from './mail-content.ts';
import { figureBand, paragraph } from './mail-design.ts';
import { addressLink, mailLayout, textFooter } from './mail-layout.ts';
import { paragraphs, wrap } from './plain-text.ts';

/** A portfolio request is answered by the portfolio's own mail. */
export const acknowledgedKinds = leadKinds.filter((kind) => kind !== 'portfolio_request');
export type AcknowledgedKind = (typeof acknowledgedKinds)[number];

/** What the mail is made of. */
export interface Acknowledgement {
  readonly kind: AcknowledgedKind;
  /** The site's own address. */
  readonly publicUrl: string;
}

/** What is said to one kind of lead, in words of the studio alone. */
interface Wording {
  /** What arrived, as in "Your message". */
  readonly received: string;
  readonly thanks: string;
  readonly next: string;
  /** The response promise (specification §9), which every acknowledgement repeats. */
  readonly promise: string;
}

const hours = `${brand.responsePromiseHours} hours`;

const wordings: Readonly<Record<AcknowledgedKind, Wording>> = {
  contact: {
    received: 'message',
    thanks: 'Thank you for writing to us. Your message has arrived, and we read every one ourselves.',
    next: 'Whoever knows the subject best will answer you by email, with questions of their own if anything is unclear.',
    promise: `We'll get back to you within ${hours}.`,
  },
  service_inquiry: {
    received: 'inquiry',
    thanks:
      'Thank you for telling us about your plans. Your inquiry has arrived with all your answers, and we read it ourselves.',
    next: 'A proposal says what we would make, how long it would take and what it would cost.',
    // One kind of lead, two promises on the pages (specification §8): the mail keeps to both.
    promise: `We'll get back to you within ${hours} with a detailed proposal, or to schedule your session if you asked for one.`,
  },
  career_application: {
    received: 'application',
    thanks: 'Thank you for your interest. Your complete application has arrived.',
    next: "We'll review your application and tell you what happens next.",
    promise: `We'll get back to you within ${hours}.`,
  },
};

/**
 * Tells a visitor that what they sent has arrived, and when to expect an answer (decisions, "Follow-ups"). It holds
 * nothing that the visitor wrote, so that no one can have our words and theirs mailed to a third person.
 * @param acknowledgement - see {@link Acknowledgement}
 * @throws TypeError - when `publicUrl` is no URL
 */
export function acknowledgementMail({ kind, publicUrl }: Acknowledgement): MailContent {
  const { received, thanks, next, promise } = wordings[kind];
  const subject = `${brand.name} has received your ${received}`;
  const addition = 'Anything to add?';
  const reason = `You are receiving this email because this address was entered in a form at ${brand.name}. If that was not you, please ignore it.`;
  return {
    subject,
    html: mailLayout({
      title: subject,
      preheader: promise,
      heading: `We have your ${received}`,
      body: html`${paragraph(thanks)}${figureBand(hours, 'at most, until you have our answer')}${paragraph(promise)}${paragraph(next)}${paragraph(html`${addition} Write to ${addressLink}.`)}`,
      reason,
      publicUrl,
    }),
    text: paragraphs(
      wrap(thanks),
      wrap(promise),
      wrap(next),
      wrap(`${addition} Write to ${brand.email}.`),
      ...textFooter({ reason, publicUrl }),
    ),
  };
}
