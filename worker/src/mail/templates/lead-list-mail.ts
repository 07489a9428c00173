import { brand } from '@dune-tide/domain/brand';
import { html } from '@dune-tide/platform/html';
import { leadUrl } from './lead-in-mail.ts';
import type { MailContent } from './mail-content.ts';
import { button, paragraph, textLink } from './mail-design.ts';
import { mailLayout, textFooter } from './mail-layout.ts';
import { paragraphs, wrap } from './plain-text.ts';

export interface LeadListMail {
  /** The subject without the name of the studio. */
  readonly topic: string;
  readonly heading: string;
  readonly summary: string;
  /** The leads to show, each with the text of its link and the line below it. */
  readonly leads: readonly { readonly id: string; readonly label: string; readonly note: string }[];
  /** The number of leads, shown or not. */
  readonly total: number;
  /** Explains why the reader gets the email. */
  readonly reason: string;
  readonly settingUrl?: string;
  /** The site's address. */
  readonly publicUrl: string;
}

/**
 * Writes an email to staff that lists leads.
 * @throws {TypeError} if `publicUrl` is not a URL
 */
export function leadListMail({ topic, heading, summary, leads, total, ...page }: LeadListMail): MailContent {
  const subject = `${topic} – ${brand.name}`;
  const lines = leads.map(({ id, label, note }) => ({ url: leadUrl(page.publicUrl, id), label, note }));
  const rest = total > leads.length ? [`and ${(total - leads.length).toLocaleString('en-US')} more`] : [];
  const listUrl = new URL('/admin/leads', page.publicUrl).href;
  return {
    subject,
    html: mailLayout({
      title: subject,
      preheader: summary,
      heading,
      body: html`${paragraph(summary)}${lines.map(({ url, label, note }) =>
        paragraph(html`${textLink(label, url)}<br />${note}`),
      )}${rest.map((text) => paragraph(text))}${button('Open the leads', listUrl)}`,
      ...page,
    }),
    text: paragraphs(
      wrap(summary),
      ...lines.map(({ url, label, note }) => [wrap(`* ${label}`, '  '), `  ${note}`, url].join('\n')),
      ...rest,
      listUrl,
      ...textFooter(page),
    ),
  };
}
