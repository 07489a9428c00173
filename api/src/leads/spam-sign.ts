import type { LeadKind } from '@dune-tide/domain/leads';
import { formTokenHeader, honeypotField, type SpamSign } from '@dune-tide/domain/spam';
import type { Context } from '../http/context.ts';
import type { FormTokens } from './form-tokens.ts';

/**
 * Why a request that brings a valid form is taken for spam.
 * @param kind - the token of a portfolio request is not judged: it may be one pasted address, and no list shows it to
 *   staff, who could release one that was held back in error
 * @returns null for what a person sends
 */
export function spamSignOf(ctx: Context, kind: LeadKind, tokens: FormTokens): SpamSign | null {
  if (isHoneypotFilled(ctx.state.body)) return 'honeypot';
  return kind === 'portfolio_request' ? null : tokens.judge(ctx.get(formTokenHeader));
}

function isHoneypotFilled(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, honeypotField)) return false;
  const filled = (body as Readonly<Record<string, unknown>>)[honeypotField];
  return typeof filled === 'string' ? filled.trim() !== '' : filled !== null && filled !== undefined;
}
