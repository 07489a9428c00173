import { maxHtmlPartBytes } from '@dune-tide/domain/limits';
import MimeNode from 'nodemailer/lib/mime-node';
import { receiptPlaceholder, tokenPlaceholder, type MailContent } from './templates/mail-content.ts';

/** A file attached to an email. */
export interface MailAttachment {
  /** ASCII, without quotes. */
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
}

/** A MIME part with its headers, in the form that nodemailer accepts. */
export interface EncodedPart {
  readonly raw: Buffer;
}

/**
 * The encoded parts of each object, shared by all emails that contain it: encoding the portfolio costs more than the rest
 * of its email.
 */
const encoded = new WeakMap<object, Promise<readonly EncodedPart[]>>();

function once(source: object, make: () => Promise<readonly EncodedPart[]>): Promise<readonly EncodedPart[]> {
  const known = encoded.get(source);
  if (known) return known;
  const parts = make();
  encoded.set(source, parts);
  // The next email encodes them again. Callers that wait for these parts get the error.
  parts.catch(() => encoded.delete(source));
  return parts;
}

/** Returns the shorter encoding of a text: quoted-printable or base64 (RFC 2045 §6). Nodemailer counts letters only. */
function shorterEncoding(text: string): 'Q' | 'B' {
  const bytes = Buffer.from(text);
  const quoted = bytes.reduce((sum, byte) => sum + (byte >= 0x20 && byte < 0x7f && byte !== 0x3d ? 1 : 3), 0);
  return quoted <= (bytes.length * 4) / 3 ? 'Q' : 'B';
}

async function encode(contentType: string, content: string | Buffer, filename?: string): Promise<EncodedPart> {
  const textEncoding = typeof content === 'string' ? shorterEncoding(content) : undefined;
  // A root node would get the headers of a whole email.
  const part = new MimeNode('multipart/mixed').createChild(contentType, { filename, textEncoding });
  if (filename !== undefined) part.setHeader('Content-Disposition', 'attachment');
  return { raw: await part.setContent(content).build() };
}

/** The tokens of an email, which take the places of `tokenPlaceholder` and `receiptPlaceholder`. */
export interface EmailTokens {
  readonly unsubscribe: string;
  readonly receipt: string;
}

/**
 * Encodes the text and the HTML of an email, the plainer part first (RFC 2046 §5.1.4). HTML that mail programs would cut
 * off is left out: the text has everything.
 * @param tokens - inserted in place of their placeholders; undefined if the content has none
 */
export async function encodedContent(content: MailContent, tokens?: EmailTokens): Promise<readonly EncodedPart[]> {
  const parts = await once(content, async () => {
    const text = await encode('text/plain; charset=utf-8', content.text);
    const html = await encode('text/html; charset=utf-8', content.html);
    return html.raw.length < maxHtmlPartBytes ? [text, html] : [text];
  });
  return tokens === undefined ? parts : parts.map((part) => withTokens(part, tokens));
}

/** The positions of each character of the placeholders in an encoded part. */
interface TokenPlaces {
  readonly [Name: string]: readonly (readonly number[])[];
}
const places = new WeakMap<EncodedPart, TokenPlaces>();

/**
 * Matches a placeholder. Quoted-printable may break a line within it, and leaves all its characters and those of tokens
 * as they are.
 */
const broken = (placeholder: string): RegExp =>
  new RegExp(Array.from(placeholder, (character) => `(?:=\r\n)?${character}`).join(''), 'g');
const placeholders = {
  unsubscribe: broken(tokenPlaceholder),
  receipt: broken(receiptPlaceholder),
} as const satisfies Readonly<Record<keyof EmailTokens, RegExp>>;
const tokenNames = Object.keys(placeholders) as (keyof EmailTokens)[];

/**
 * Inserts the tokens into an encoded part, because encoding each email again takes thirty times as long.
 * @throws {TypeError} if a token does not fit or the part has no placeholder for it
 */
function withTokens(part: EncodedPart, tokens: EmailTokens): EncodedPart {
  const known =
    places.get(part) ?? Object.fromEntries(tokenNames.map((name) => [name, placesIn(part.raw, placeholders[name])]));
  places.set(part, known);
  const raw = Buffer.from(part.raw);
  for (const name of tokenNames) {
    const token = tokens[name];
    const found = known[name] ?? [];
    if (token.length !== tokenPlaceholder.length || found.length === 0) throw new TypeError('A token has no place');
    for (const each of found) each.forEach((place, index) => raw.write(token.charAt(index), place, 'latin1'));
  }
  return { raw };
}

function placesIn(raw: Buffer, placeholder: RegExp): (readonly number[])[] {
  return [...raw.toString('latin1').matchAll(placeholder)].map(({ index, 0: found }) => {
    const breaks = new Set([...found.matchAll(/=\r\n/g)].flatMap((each) => [0, 1, 2].map((next) => each.index + next)));
    return Array.from(found, (_, offset) => offset).flatMap((offset) => (breaks.has(offset) ? [] : [index + offset]));
  });
}

/** Encodes a file as an attachment (RFC 2183). */
export function encodedAttachment({ filename, contentType, content }: MailAttachment): Promise<readonly EncodedPart[]> {
  return once(content, async () => [await encode(contentType, content, filename)]);
}
