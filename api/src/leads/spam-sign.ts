import { leadDefinitions, type LeadKind } from '@dune-tide/domain/leads';
import { formTokenHeader, honeypotField, type SpamSign } from '@dune-tide/domain/spam';
import type { Context } from '../http/context.ts';
import type { FormTokens } from './form-tokens.ts';

/**
 * Returns the reason why a valid form is marked as spam.
 * @param body - as sent, with the fields that the form does not have
 * @returns null if the request shows no sign of spam
 */
export function spamSignOf(ctx: Context, body: unknown, kind: LeadKind, tokens: FormTokens): SpamSign | null {
  if (isHoneypotFilled(body)) return 'honeypot';
  return leadDefinitions[kind].hasFormToken ? tokens.judge(ctx.get(formTokenHeader)) : null;
}

function isHoneypotFilled(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, honeypotField)) return false;
  const filled = (body as Readonly<Record<string, unknown>>)[honeypotField];
  return typeof filled === 'string' ? filled.trim() !== '' : filled !== null && filled !== undefined;
}
