import type { LeadNotification, NotifiedLead } from '@dune-tide/db/follow-ups';
import { brand } from '@dune-tide/domain/brand';
import { leadDefinitions } from '@dune-tide/domain/leads';
import { html } from '@dune-tide/platform/html';
import { leadUrl } from './lead-in-mail.ts';
import type { MailContent } from './mail-content.ts';
import { button, paragraph, textLink } from './mail-design.ts';
import { mailLayout, textFooter } from './mail-layout.ts';
import { paragraphs, wrap } from './plain-text.ts';

const dayFormat = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});

/**
 * Writes the email about assigned leads and mentions (docs/PRODUCT.md, "Notifications"). It contains the ids and the
 * kinds of the leads, and no text of a person. The subject is the same for all emails of a day, because some mail
 * programs show emails with different subjects as different conversations.
 * @throws {TypeError} if `publicUrl` is not a URL
 */
export function leadNotificationMail(
  notification: Omit<LeadNotification, 'staffId'> & { readonly publicUrl: string },
): MailContent {
  const { leads, total, day, publicUrl } = notification;
  const subject = `Leads for you on ${dayFormat.format(new Date(day))} – ${brand.name}`;
  const heading = total === 1 ? 'A lead for you' : `${total.toLocaleString('en-US')} leads for you`;
  const summary = 'These leads were assigned to you, or a note mentions you.';
  const lines = leads.map((lead) => ({
    url: leadUrl(publicUrl, lead.id),
    label: `${leadDefinitions[lead.kind].labels.sentence} ${lead.id.slice(0, 8)}`,
    reason: reasonOf(lead),
  }));
  const rest = total > leads.length ? [`and ${(total - leads.length).toLocaleString('en-US')} more`] : [];
  const reason = `You are receiving this email because your staff account of ${brand.name} has this address.`;
  const listUrl = new URL('/admin/leads', publicUrl).href;
  const settingUrl = new URL('/admin/account#lead-emails', publicUrl).href;
  return {
    subject,
    html: mailLayout({
      title: subject,
      preheader: summary,
      heading,
      body: html`${paragraph(summary)}${lines.map(({ url, label, reason: why }) =>
        paragraph(html`${textLink(label, url)}<br />${why}`),
      )}${rest.map((text) => paragraph(text))}${button('Open the leads', listUrl)}`,
      reason,
      settingUrl,
      publicUrl,
    }),
    text: paragraphs(
      wrap(summary),
      ...lines.map(({ url, label, reason: why }) => [wrap(`* ${label}`, '  '), `  ${why}`, url].join('\n')),
      ...rest,
      listUrl,
      ...textFooter({ reason, settingUrl, publicUrl }),
    ),
  };
}

function reasonOf({ isAssigned, mentions }: NotifiedLead): string {
  const notes = mentions === 1 ? 'a note mentions you' : `${mentions} notes mention you`;
  const reasons = [...(isAssigned ? ['assigned to you'] : []), ...(mentions > 0 ? [notes] : [])].join(', ');
  return `${reasons.charAt(0).toUpperCase()}${reasons.slice(1)}`;
}
