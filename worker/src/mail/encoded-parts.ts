import MimeNode from 'nodemailer/lib/mime-node';
import { tokenPlaceholder, type MailContent } from './templates/mail-content.ts';

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

async function encode(contentType: string, content: string | Buffer, filename?: string): Promise<EncodedPart> {
  // A root node would get the headers of a whole email.
  const part = new MimeNode('multipart/mixed').createChild(contentType, { filename });
  if (filename !== undefined) part.setHeader('Content-Disposition', 'attachment');
  return { raw: await part.setContent(content).build() };
}

/**
 * Encodes the text and the HTML of an email, the plainer part first (RFC 2046 §5.1.4).
 * @param token - inserted in place of `tokenPlaceholder`; undefined if the content has none
 */
export async function encodedContent(content: MailContent, token?: string): Promise<readonly EncodedPart[]> {
  const parts = await once(content, () =>
    Promise.all([encode('text/plain; charset=utf-8', content.text), encode('text/html; charset=utf-8', content.html)]),
  );
  return token === undefined ? parts : parts.map((part) => withToken(part, token));
}

/** The positions of each character of the placeholder in an encoded part. */
const places = new WeakMap<EncodedPart, readonly (readonly number[])[]>();

/** Quoted-printable may break a line within the placeholder, and leaves all its characters and those of tokens as they are. */
const brokenPlaceholder = new RegExp(
  Array.from(tokenPlaceholder, (character) => `(?:=\r\n)?${character}`).join(''),
  'g',
);

/**
 * Inserts a token into an encoded part, because encoding each email again takes thirty times as long.
 * @throws {TypeError} if the token does not fit or the part has no placeholder
 */
function withToken(part: EncodedPart, token: string): EncodedPart {
  const known = places.get(part) ?? placesIn(part.raw);
  places.set(part, known);
  if (token.length !== tokenPlaceholder.length || known.length === 0) throw new TypeError('The token has no place');
  const raw = Buffer.from(part.raw);
  for (const each of known) each.forEach((place, index) => raw.write(token.charAt(index), place, 'latin1'));
  return { raw };
}

function placesIn(raw: Buffer): (readonly number[])[] {
  return [...raw.toString('latin1').matchAll(brokenPlaceholder)].map(({ index, 0: found }) => {
    const breaks = new Set([...found.matchAll(/=\r\n/g)].flatMap((each) => [0, 1, 2].map((next) => each.index + next)));
    return Array.from(found, (_, offset) => offset).flatMap((offset) => (breaks.has(offset) ? [] : [index + offset]));
  });
}

/** Encodes a file as an attachment (RFC 2183). */
export function encodedAttachment({ filename, contentType, content }: MailAttachment): Promise<readonly EncodedPart[]> {
  return once(content, async () => [await encode(contentType, content, filename)]);
}
