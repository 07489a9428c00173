import { brand, palette } from '@dune-tide/domain/brand';
import { leadDefinitions } from '@dune-tide/domain/leads';
import { html } from '@dune-tide/platform/html';
import type { MailContent } from './mail-content.ts';
import { button, paragraph, textLink } from './mail-design.ts';
import { leadUrl, receivedAt, staffReason } from './lead-in-mail.ts';
import { mailLayout, textFooter } from './mail-layout.ts';
import { paragraphs, wrap } from './plain-text.ts';
import type { StaffNotice } from './staff-notice-mail.ts';

export interface StaffDigest {
  /** The notices that are described. */
  readonly notices: readonly Omit<StaffNotice, 'publicUrl'>[];
  /** The number of all notices in the digest. */
  readonly total: number;
  /** The site's address. */
  readonly publicUrl: string;
}

/**
 * Writes the email that lists the leads whose notices a digest has collected (docs/PRODUCT.md, "Digests").
 * @throws {TypeError} if `publicUrl` is not a URL
 */
export function staffDigestMail({ notices, total, publicUrl }: StaffDigest): MailContent {
  const leads = `${total.toLocaleString('en-US')} new ${total === 1 ? 'lead' : 'leads'}`;
  const subject = `${leads} – ${brand.name}`;
  const summary =
    'So many leads have arrived that this email lists them together. Answer each lead from its page: a reply to this email reaches no visitor.';
  const others = total - notices.length;
  const rest = others > 0 ? [`The staff area has ${others.toLocaleString('en-US')} more.`] : [];
  const listUrl = new URL('/admin/leads', publicUrl).href;
  const entries = notices.map((notice) => entryOf(notice, publicUrl));
  return {
    subject,
    html: mailLayout({
      title: subject,
      preheader: `${leads} since ${entries[0]?.time ?? 'the last email'}.`,
      heading: leads,
      body: html`${paragraph(summary)}
        <ul style="margin:0 0 18px;padding-left:20px">
          ${entries.map(
            ({ title, time, url }) =>
              html`<li class="ink" style="margin:0 0 10px;font-size:16px;line-height:24px;color:${palette.night}">
                ${textLink(title, url)}<br /><span class="quiet" style="color:${palette.nightSoft}">${time}</span>
              </li>`,
          )}
        </ul>
        ${rest.map(paragraph)}${button('Open the leads', listUrl)}`,
      reason: staffReason,
      publicUrl,
    }),
    text: paragraphs(
      wrap(summary),
      ...entries.map(entryText),
      ...rest,
      listUrl,
      ...textFooter({ reason: staffReason, publicUrl }),
    ),
  };
}

type Notice = StaffDigest['notices'][number];
type Entry = ReturnType<typeof entryOf>;

function entryOf({ kind, leadId, createdAt, facts }: Notice, publicUrl: string) {
  return {
    title: [leadDefinitions[kind].labels.sentence, ...facts.map(({ description }) => description)].join(' · '),
    time: receivedAt(createdAt).time,
    url: leadUrl(publicUrl, leadId),
  };
}

const entryText = ({ title, time, url }: Entry): string => `${wrap(`* ${title}`, '  ')}\n  ${time}\n${url}`;

/** Returns the part of the text that is about one lead. */
export const digestEntryText = (notice: Notice, publicUrl: string): string => entryText(entryOf(notice, publicUrl));
