import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { formTokenKeyLife, minFormAge } from '@dune-tide/domain/limits';
import { earlyFormToken, type SpamSign } from '@dune-tide/domain/spam';

const wellFormed = /^(\d{13})\.([\w-]{43})$/;

/** Tokens that are remembered, so that what this process signed it need not sign again: a tenth of a lead's time. */
const maxRemembered = 10_000;

export interface FormTokens {
  /** A token that says when it was given out: the milliseconds and their signature. */
  issue(): string;
  /**
   * What a token says against the form that brings it. None at all says nothing, nor does an old one: a page may be
   * older than this call, or open for days.
   */
  judge(token: string): Extract<SpamSign, 'too_fast' | 'forged_token'> | null;
}

/**
 * @param keys - the first one signs, all are accepted
 * @param now - milliseconds since 1970
 */
export function formTokens(keys: readonly string[], now: () => number = Date.now): FormTokens {
  // Keys of their own, so that nothing signed here passes for anything that the session's keys sign.
  const own = keys.map((key) => Buffer.from(hkdfSync('sha256', key, '', 'form-token', 32)));
  const sign = (key: Buffer, issued: string) => createHmac('sha256', key).update(issued).digest();
  const [signing] = own;
  if (!signing) throw new Error('Form tokens need a key');

  const remembered = new Set<string>();
  const remember = (token: string): void => {
    remembered.add(token);
    // A set gives the oldest first.
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
      // Given out by another process whose clock is ahead: how old it is cannot be told.
      if (age < 0) return null;
      return age < minFormAge ? 'too_fast' : null;
    },
  };
}
