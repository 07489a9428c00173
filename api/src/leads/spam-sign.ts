import { formTokenHeader, honeypotField, type SpamSign } from '@dune-tide/domain/spam';
import type { Context } from '../http/context.ts';
import type { FormTokens } from './form-tokens.ts';

/**
 * Why a request that brings a valid form is taken for spam.
 * @returns null for what a person sends
 */
export function spamSignOf(ctx: Context, tokens: FormTokens): SpamSign | null {
  return isHoneypotFilled(ctx.state.body) ? 'honeypot' : tokens.judge(ctx.get(formTokenHeader));
}

function isHoneypotFilled(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, honeypotField)) return false;
  const filled = (body as Readonly<Record<string, unknown>>)[honeypotField];
  return typeof filled === 'string' ? filled.trim() !== '' : filled !== null && filled !== undefined;
}
