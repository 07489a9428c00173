import { brand, palette } from '@dune-tide/domain/brand';
import { replyQuote } from '@dune-tide/domain/limits';
import { linesOf, onOneLine } from '@dune-tide/domain/lines';
import { html, type Html } from '@dune-tide/platform/html';
import { receivedAt } from './lead-in-mail.ts';
import type { MailContent } from './mail-content.ts';
import { textLink } from './mail-design.ts';
import { mailLayout, textFooter } from './mail-layout.ts';
import { isRightToLeft, linkedParts, shortened, textParagraphs } from './plain-text.ts';

export interface Reply {
  readonly subject: string;
  /** The text as staff typed it. */
  readonly text: string;
  /** The visitor's message; an empty text if the form has none. */
  readonly quoted: { readonly text: string; readonly name: string; readonly at: Date };
  /** The site's address. */
  readonly publicUrl: string;
}

const reason = `You are receiving this email because you wrote to ${brand.name}.`;

/**
 * Writes the email of a reply. The text part has what staff typed, unchanged; the HTML part has the same text with
 * clickable links. Both end with a shortened quote of what the visitor sent.
 * @throws {TypeError} if `publicUrl` is not a URL
 */
export function replyMail({ subject, text, quoted, publicUrl }: Reply): MailContent {
  const quote = shortened(quoted.text, replyQuote);
  const introduction = `On ${receivedAt(quoted.at).time}, ${onOneLine(quoted.name)} wrote:`;
  const quotedLines = linesOf(quote).map((line) => (line === '' ? '>' : `> ${line}`));
  return {
    subject,
    html: mailLayout({
      title: subject,
      preheader: shortened(onOneLine(text).replaceAll(/\s+/g, ' '), { characters: 120, lines: 1 }),
      body: html`${written(text, 'ink', palette.night)}${
        quote !== '' &&
        html`<div class="rule" style="margin:28px 0 18px;padding:2px 0 0 16px;border-left:3px solid ${palette.dune}">
          ${block(introduction, 'quiet', palette.nightSoft)}${written(quote, 'quiet', palette.nightSoft)}
        </div>`
      }`,
      reason,
      publicUrl,
    }),
    text: `${[
      text,
      ...(quote === '' ? [] : [[introduction, ...quotedLines].join('\n')]),
      ...textFooter({ reason, publicUrl }),
    ].join('\n\n')}\n`,
  };
}

/** Renders the paragraphs of a text. */
const written = (text: string, ink: 'ink' | 'quiet', colour: string): readonly Html[] =>
  textParagraphs(text).map((paragraph) => block(paragraph, ink, colour));

/** Renders one paragraph in the direction of its text. Mail programs ignore `dir="auto"`, so the direction is stated. */
function block(text: string, ink: 'ink' | 'quiet', colour: string): Html {
  const [direction, side] = isRightToLeft(text) ? ['rtl', 'right'] : ['ltr', 'left'];
  const lines = linesOf(text).map((line, index) => html`${index > 0 && html`<br />`}${linkedParts(line).map(part)}`);
  return html`<p
    class="${ink}"
    dir="${direction}"
    style="margin:0 0 18px;font-size:17px;line-height:27px;text-align:${side};overflow-wrap:anywhere;color:${colour}"
  >
    ${lines}
  </p>`;
}

const part = ({ text, url }: { readonly text: string; readonly url?: string }): Html =>
  url === undefined ? html`${text}` : textLink(text, url);
