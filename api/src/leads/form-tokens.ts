import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { formTokenKeyLife, minFormAge } from '@dune-tide/domain/limits';
import { earlyFormToken, type SpamSign } from '@dune-tide/domain/spam';

const wellFormed = /^(\d{13})\.([\w-]{43})$/;

/** Maximum number of cached tokens. Checking a signature would take a tenth of the time that a lead takes. */
const maxRemembered = 10_000;

export interface FormTokens {
  /** Returns a token with the current time in milliseconds and its signature. */
  issue(): string;
  /**
   * Returns the spam sign of a token, or null. A missing or an expired token is accepted, since an old page may not
   * send a token, or may have been open for days.
   */
  judge(token: string): Extract<SpamSign, 'too_fast' | 'forged_token'> | null;
}

/**
 * Issues and checks the tokens that show when a form was first touched.
 * @param keys - the first one signs; all are accepted
 * @param now - milliseconds since 1970
 */
export function formTokens(keys: readonly string[], now: () => number = Date.now): FormTokens {
  // Derived keys, so that a form token can never be valid as a signature of the session cookie.
  const own = keys.map((key) => Buffer.from(hkdfSync('sha256', key, '', 'form-token', 32)));
  const sign = (key: Buffer, issued: string) => createHmac('sha256', key).update(issued).digest();
  const [signing] = own;
  if (!signing) throw new Error('Form tokens need at least one key');

  const remembered = new Set<string>();
  const remember = (token: string): void => {
    remembered.add(token);
    // A Set iterates in insertion order, so the first token is the oldest.
    const [oldest = token] = remembered;
    if (remembered.size > maxRemembered) remembered.delete(oldest);
  };
  const isSigned = (token: string, issued: string, signature: string): boolean => {
    if (remembered.has(token)) return true;
    const given = Buffer.from(signature, 'base64url');
    return own.some((key) => timingSafeEqual(sign(key, issued), given));
  };

  return {
    issue() {
      const issued = String(now());
      const token = `${issued}.${sign(signing, issued).toString('base64url')}`;
      remember(token);
      return token;
    },
    judge(token) {
      if (token === '') return null;
      if (token === earlyFormToken) return 'too_fast';
      const [, issued, signature] = wellFormed.exec(token) ?? [];
      if (issued === undefined || signature === undefined) return 'forged_token';
      const age = now() - Number(issued);
      if (!isSigned(token, issued, signature)) {
        return age < formTokenKeyLife ? 'forged_token' : null;
      }
      // Another process, whose clock is ahead, issued the token, so its age is unknown.
      if (age < 0) return null;
      return age < minFormAge ? 'too_fast' : null;
    },
  };
}
