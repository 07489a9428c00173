import type { LeadKind } from '@dune-tide/domain/leads';
import { formTokenHeader, honeypotField, type SpamSign } from '@dune-tide/domain/spam';
import type { Context } from '../http/context.ts';
import type { FormTokens } from './form-tokens.ts';

/**
 * Why a request that brings a valid form is taken for spam.
 * @param kind - a request of the portfolio, one pasted address, is never sent too fast: no list shows it to staff, who
 *   could let it go
 * @returns null for what a person sends
 */
export function spamSignOf(ctx: Context, kind: LeadKind, tokens: FormTokens): SpamSign | null {
  if (isHoneypotFilled(ctx.state.body)) return 'honeypot';
  const sign = tokens.judge(ctx.get(formTokenHeader));
  return sign === 'too_fast' && kind === 'portfolio_request' ? null : sign;
}

function isHoneypotFilled(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, honeypotField)) return false;
  const filled = (body as Readonly<Record<string, unknown>>)[honeypotField];
  return typeof filled === 'string' ? filled.trim() !== '' : filled !== null && filled !== undefined;
}
