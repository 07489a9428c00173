import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts secrets that are stored in the database, so that a copy of the database does not contain them. */
export interface SecretSeal {
  /** @param owner - the id of what the secret belongs to; the text opens for no other owner */
  seal(secret: string, owner: string): string;
  /** @returns undefined if no key opens the text: its key was removed, or the text was changed or moved */
  open(sealed: string, owner: string): string | undefined;
}

/**
 * Creates the encryption of stored secrets (AES-256-GCM), with keys that are derived from SESSION_KEYS.
 * @param keys - the first one encrypts; all decrypt
 */
export function secretSeal(keys: readonly string[]): SecretSeal {
  const own = keys.map((key) => Buffer.from(hkdfSync('sha256', key, '', 'sealed-secret', 32)));
  const [sealing] = own;
  if (!sealing) throw new Error('Stored secrets need at least one key');
  return {
    seal(secret, owner) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, sealing, nonce).setAAD(Buffer.from(owner));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, text, cipher.getAuthTag()]).toString('base64url');
    },
    open(sealed, owner) {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < nonceBytes + tagBytes) return undefined;
      for (const key of own) {
        const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
          .setAAD(Buffer.from(owner))
          .setAuthTag(bytes.subarray(-tagBytes));
        try {
          const text = decipher.update(bytes.subarray(nonceBytes, -tagBytes));
          return Buffer.concat([text, decipher.final()]).toString('utf8');
        } catch {
          // Another key may have encrypted it.
        }
      }
      return undefined;
    },
  };
}
