import { brand } from '@dune-tide/domain/brand';
import { caseStudies } from '@dune-tide/domain/content/case-studies';
import { caseStudyCategories } from '@dune-tide/domain/content/case-study-heads';
import { home } from '@dune-tide/domain/content/home';
import { html } from '@dune-tide/platform/html';
import type { MailContent } from './mail-content.ts';
import { button, factList, paragraph } from './mail-design.ts';
import { addressLink, mailLayout, textFooter } from './mail-layout.ts';
import { receiptParagraph, receiptText, type VisitorLinks } from './visitor-links.ts';
import { paragraphs, wrap } from './plain-text.ts';

/** The contents of the attachment: each category of work with its clients. */
const contents = caseStudyCategories.map((category) => ({
  term: category,
  description: caseStudies
    .filter((study) => study.category === category)
    .map(({ client }) => client.split(',')[0])
    .join(', '),
}));

/**
 * Writes the email that delivers the portfolio and acknowledges the request (docs/PRODUCT.md, "Emails"). The composer
 * attaches the PDF.
 * @throws {TypeError} if `publicUrl` is not a URL
 */
export function portfolioMail({ publicUrl, unsubscribeUrl, receiptUrl }: VisitorLinks): MailContent {
  const subject = `The ${brand.name} portfolio you asked for`;
  const thanks = `Thank you for asking to see our work. The PDF attached to this email contains ${caseStudies.length} case studies: the challenge, what we built, and the measured results.`;
  const invitation = `Does one of them come close to what you have in mind? ${home.engagement.promise.text}`;
  const start = 'Start a project like this';
  const inquiryUrl = new URL('/project-inquiry', publicUrl).href;
  const reason = `You are receiving this email because this address was entered at ${brand.name} to receive the portfolio.`;
  return {
    subject,
    html: mailLayout({
      title: subject,
      preheader: `${caseStudies.length} case studies, attached as a PDF.`,
      heading: 'Our portfolio, for you to keep',
      body: html`${paragraph(thanks)}${factList(contents)}${paragraph(invitation)}${button(start, inquiryUrl)}${paragraph(html`Or write to ${addressLink}.`)}${receiptParagraph(receiptUrl)}`,
      reason,
      unsubscribeUrl,
      publicUrl,
    }),
    text: paragraphs(
      wrap(thanks),
      contents.map(({ term, description }) => wrap(`* ${term}: ${description}`, '  ')).join('\n'),
      wrap(invitation),
      `${start}:\n${inquiryUrl}`,
      wrap(`Or write to ${brand.email}.`),
      receiptText(receiptUrl),
      ...textFooter({ reason, unsubscribeUrl, publicUrl }),
    ),
  };
}
