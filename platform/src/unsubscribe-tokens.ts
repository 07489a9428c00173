import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** The path of the page that stops automatic emails; the token follows. */
export const unsubscribePath = '/unsubscribe';

const idBytes = 16;
const signatureBytes = 16;

/** Signs the ids of follow-ups for the links that stop automatic emails (docs/PRODUCT.md, "Opt-out"). */
export interface UnsubscribeTokens {
  /** @returns the id and its signature, as 43 characters of base64url */
  issue(followUpId: string): string;
  /** @returns the id of the follow-up; undefined if no key has signed it */
  read(token: string): string | undefined;
}

/**
 * Creates and reads the tokens.
 * @param keys - SESSION_KEYS; the first one signs, all are accepted
 * @throws {Error} without a key
 */
export function unsubscribeTokens(keys: readonly string[]): UnsubscribeTokens {
  // Derived keys, so that a token can never be valid as a signature of the session cookie.
  const own = keys.map((key) => Buffer.from(hkdfSync('sha256', key, '', 'unsubscribe-token', 32)));
  const [signing] = own;
  if (!signing) throw new Error('Unsubscribe tokens need at least one key');
  const sign = (key: Buffer, id: Buffer): Buffer =>
    createHmac('sha256', key).update(id).digest().subarray(0, signatureBytes);
  return {
    issue(followUpId) {
      const id = Buffer.from(followUpId.replaceAll('-', ''), 'hex');
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
