/** A file that a mail carries. */
export interface MailAttachment {
  /** ASCII, without quotes. */
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
}

const encoded = new WeakMap<Buffer, Buffer>();
const line = /.{1,76}/g;

/**
 * An attachment as a whole MIME part (RFC 2045 §6.8, RFC 2183). A content is encoded once however many mails carry it:
 * to encode the portfolio anew costs more than all else of its mail.
 */
export function encodedAttachment({ filename, contentType, content }: MailAttachment): { readonly raw: Buffer } {
  let base64 = encoded.get(content);
  if (!base64) {
    base64 = Buffer.from((content.toString('base64').match(line) ?? []).join('\r\n'));
    encoded.set(content, base64);
  }
  const header = [
    `Content-Type: ${contentType}; name="${filename}"`,
    'Content-Transfer-Encoding: base64',
    `Content-Disposition: attachment; filename="${filename}"`,
    '\r\n',
  ].join('\r\n');
  return { raw: Buffer.concat([Buffer.from(header), base64]) };
}
