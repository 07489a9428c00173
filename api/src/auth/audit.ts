import type { FollowUpState } from '@dune-tide/domain/follow-ups';
import type { Logger } from '@dune-tide/platform/log';
import type { Context } from '../http/context.ts';
import { staffOf } from './session.ts';

export type AuditedAction =
  | 'signed_in'
  | 'sign_in_refused'
  | 'signed_out'
  | 'member_added'
  | 'member_activated'
  | 'member_deactivated'
  | 'password_set';

/**
 * Logs who did what to which account: ids only, no names and nothing typed.
 * @param accountId - the account that it was done to; none where a username is unknown
 */
export function audit(logger: Logger, ctx: Context, action: AuditedAction, accountId: string | undefined): void {
  logger.info({ requestId: ctx.state.requestId, action, staffId: ctx.state.staff?.id, accountId }, 'audit');
}

/** Logs who did what to which lead. */
export function auditLead(logger: Logger, ctx: Context, action: 'lead_released', leadId: string): void {
  logger.info({ requestId: ctx.state.requestId, action, staffId: staffOf(ctx).id, leadId }, 'audit');
}

export type FollowUpAction =
  'follow_up_retried' | 'follow_up_cancelled' | 'follow_ups_retried' | 'follow_ups_cancelled';

/**
 * Logs who retried or cancelled which follow-ups.
 * @param subject - one by its id, or how many of a state were changed together
 */
export function auditFollowUps(
  logger: Logger,
  ctx: Context,
  action: FollowUpAction,
  subject: { readonly followUpId: string } | { readonly state: FollowUpState; readonly count: number },
): void {
  logger.info({ requestId: ctx.state.requestId, action, staffId: staffOf(ctx).id, ...subject }, 'audit');
}
