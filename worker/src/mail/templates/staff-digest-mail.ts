import { brand, palette } from '@dune-tide/domain/brand';
import { leadDefinitions } from '@dune-tide/domain/leads';
import { maxHtmlPartBytes } from '@dune-tide/domain/limits';
import { html } from '@dune-tide/platform/html';
import type { MailContent } from './mail-content.ts';
import { button, paragraph, textLink } from './mail-design.ts';
import { leadUrl, receivedAt, staffReason } from './lead-in-mail.ts';
import { mailLayout, textFooter } from './mail-layout.ts';
import { paragraphs, wrap } from './plain-text.ts';
import type { StaffNotice } from './staff-notice-mail.ts';

export interface StaffDigest {
  /** The notices of the oldest leads. */
  readonly notices: readonly Omit<StaffNotice, 'publicUrl'>[];
  /** The number of all notices in the digest. */
  readonly total: number;
  /** The site's address. */
  readonly publicUrl: string;
}

/** HTML of this length never exceeds `maxHtmlPartBytes`: base64 makes 78 bytes of 57. */
const maxHtmlBytes = Math.floor((maxHtmlPartBytes / 78) * 57) - 1_000;

/**
 * Writes the email that lists the leads whose notices a digest has collected (docs/PRODUCT.md, "Digests").
 * @returns the email, and the notices that it describes: all, or fewer if they are too long together
 * @throws {TypeError} if `publicUrl` is not a URL
 */
export function staffDigestMail(digest: StaffDigest): {
  readonly content: MailContent;
  readonly described: StaffDigest['notices'];
} {
  let described = digest.notices;
  for (;;) {
    const content = digestOf({ ...digest, notices: described });
    const excess = Buffer.byteLength(content.html) / maxHtmlBytes;
    if (excess <= 1 || described.length === 0) return { content, described };
    described = described.slice(0, Math.min(described.length - 1, Math.floor(described.length / excess)));
  }
}

function digestOf({ notices, total, publicUrl }: StaffDigest): MailContent {
  const leads = `${total.toLocaleString('en-US')} new ${total === 1 ? 'lead' : 'leads'}`;
  const subject = `${leads} – ${brand.name}`;
  const summary =
    'So many leads have arrived that this email lists them together. Answer each lead from its page: a reply to this email reaches no visitor.';
  const isPart = total > notices.length;
  const rest = isPart
    ? [`Below are the oldest ${notices.length}. The staff area has all ${total.toLocaleString('en-US')}.`]
    : [];
  const listUrl = new URL('/admin/leads', publicUrl).href;
  const entries = notices.map((notice) => entryOf(notice, publicUrl));
  return {
    subject,
    html: mailLayout({
      title: subject,
      preheader: `${leads} since ${entries[0]?.time ?? 'the last email'}.`,
      heading: leads,
      body: html`${paragraph(summary)}${rest.map(paragraph)}${button('Open the leads', listUrl)}
        <ul style="margin:0 0 18px;padding-left:20px">
          ${entries.map(
            ({ title, time, url }) =>
              html`<li class="ink" style="margin:0 0 10px;font-size:16px;line-height:24px;color:${palette.night}">
                ${textLink(title, url)}<br /><span class="quiet" style="color:${palette.nightSoft}">${time}</span>
              </li>`,
          )}
        </ul>`,
      reason: staffReason,
      publicUrl,
    }),
    text: paragraphs(
      wrap(summary),
      ...rest,
      listUrl,
      ...entries.map(entryText),
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
