import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

const idBytes = 16;
const signatureBytes = 16;

/** The path of the page that shows a visitor what they sent; a token with the id of the lead follows. */
export const receiptPath = '/receipt';

/** The path of the page that stops automatic emails; a token with the id of the follow-up follows. */
export const unsubscribePath = '/unsubscribe';

/** The path of the page that confirms the address of an account; a token with the id of the follow-up follows. */
export const confirmEmailPath = '/confirm-email';

/** Signs ids for links in emails (docs/PRODUCT.md, "Receipt page" and "Opt-out"). */
export interface IdTokens {
  /** @returns the id and its signature, as 43 characters of base64url */
  issue(id: string): string;
  /** @returns the id; undefined if no key has signed it */
  read(token: string): string | undefined;
}

/**
 * Creates and reads tokens.
 * @param keys - SESSION_KEYS; the first one signs, all are accepted
 * @param purpose - a token for one purpose is invalid for another
 * @throws {Error} without a key
 */
export function idTokens(
  keys: readonly string[],
  purpose: 'unsubscribe-token' | 'receipt-token' | 'email-token',
): IdTokens {
  // Derived keys, so that a token can never be valid as a signature of the session cookie.
  const own = keys.map((key) => Buffer.from(hkdfSync('sha256', key, '', purpose, 32)));
  const [signing] = own;
  if (!signing) throw new Error('Tokens need at least one key');
  const sign = (key: Buffer, id: Buffer): Buffer =>
    createHmac('sha256', key).update(id).digest().subarray(0, signatureBytes);
  return {
    issue(text) {
      const id = Buffer.from(text.replaceAll('-', ''), 'hex');
      return Buffer.concat([id, sign(signing, id)]).toString('base64url');
    },
    read(token) {
      const bytes = Buffer.from(token, 'base64url');
      // Several base64url texts decode to the same bytes; only one of them is the token.
      if (bytes.length !== idBytes + signatureBytes || bytes.toString('base64url') !== token) return undefined;
      const id = bytes.subarray(0, idBytes);
      if (!own.some((key) => timingSafeEqual(sign(key, id), bytes.subarray(idBytes)))) return undefined;
      return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    },
  };
}
