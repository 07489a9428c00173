import MimeNode from 'nodemailer/lib/mime-node';
import type { MailContent } from './templates/mail-content.ts';

/** A file that a mail carries. */
export interface MailAttachment {
  /** ASCII, without quotes. */
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
}

/** A whole MIME part with its header, as nodemailer takes it. */
export interface EncodedPart {
  readonly raw: Buffer;
}

/**
 * What mails carry is encoded once however many carry the same object: to encode the portfolio anew costs more than all
 * else of its mail.
 */
const encoded = new WeakMap<object, Promise<readonly EncodedPart[]>>();

function once(source: object, make: () => Promise<readonly EncodedPart[]>): Promise<readonly EncodedPart[]> {
  const known = encoded.get(source);
  if (known) return known;
  const parts = make();
  encoded.set(source, parts);
  // The next mail tries again; whoever waits for these is told.
  parts.catch(() => encoded.delete(source));
  return parts;
}

async function encode(contentType: string, content: string | Buffer, filename?: string): Promise<EncodedPart> {
  // A root would get the headers of a whole mail.
  const part = new MimeNode('multipart/mixed').createChild(contentType, { filename });
  if (filename !== undefined) part.setHeader('Content-Disposition', 'attachment');
  return { raw: await part.setContent(content).build() };
}

/** @returns the mail's text and HTML, the plainer first (RFC 2046 §5.1.4) */
export function encodedContent(content: MailContent): Promise<readonly EncodedPart[]> {
  return once(content, () =>
    Promise.all([encode('text/plain; charset=utf-8', content.text), encode('text/html; charset=utf-8', content.html)]),
  );
}

/** @returns the file as parts of RFC 2183 */
export function encodedAttachment({ filename, contentType, content }: MailAttachment): Promise<readonly EncodedPart[]> {
  return once(content, async () => [await encode(contentType, content, filename)]);
}
