import type { FollowUpState, TransportName } from '@dune-tide/domain/follow-ups';
import type { Logger } from '@dune-tide/platform/log';
import type { Context } from '../http/context.ts';
import { staffOf } from './session.ts';

export type LeadAction =
  | 'lead_changed'
  | 'lead_marked_as_spam'
  | 'lead_released'
  | 'note_added'
  | 'note_edited'
  | 'note_deleted'
  | 'reply_written'
  | 'reply_undone';

/** Logs an action on a lead. */
export function auditLead(logger: Logger, ctx: Context, action: LeadAction, leadId: string): void {
  logger.info({ requestId: ctx.state.requestId, action, staffId: staffOf(ctx).id, leadId }, 'audit');
}

/** Logs a change of several leads. */
export function auditLeads(logger: Logger, ctx: Context, leadIds: readonly string[]): void {
  logger.info({ requestId: ctx.state.requestId, action: 'leads_changed', staffId: staffOf(ctx).id, leadIds }, 'audit');
}

/** Logs that a member of staff exported leads, and whether the file is complete. */
export function auditExport(
  logger: Logger,
  ctx: Context,
  outcome: { readonly leads: number; readonly isComplete: boolean },
): void {
  const action = 'leads_exported';
  logger.info({ requestId: ctx.state.requestId, action, staffId: staffOf(ctx).id, ...outcome }, 'audit');
}

/** Logs that a member of staff exported or erased the data of a person, who is not named. */
export function auditPerson(logger: Logger, ctx: Context, action: 'person_exported' | 'person_erased'): void {
  logger.info({ requestId: ctx.state.requestId, action, staffId: staffOf(ctx).id }, 'audit');
}

export type FollowUpAction =
  | 'follow_up_retried'
  | 'follow_up_cancelled'
  | 'follow_ups_retried'
  | 'follow_ups_cancelled'
  | 'recipient_corrected'
  | 'opt_out_removed';

/**
 * Logs that a member of staff retried or cancelled follow-ups, or removed an opt-out.
 * @param subject - the id of one follow-up, or the number of follow-ups of a state that were changed together
 */
export function auditFollowUps(
  logger: Logger,
  ctx: Context,
  action: FollowUpAction,
  subject:
    | { readonly followUpId: string }
    | { readonly optOutId: string }
    | { readonly state: FollowUpState; readonly transport: TransportName | undefined; readonly count: number },
): void {
  logger.info({ requestId: ctx.state.requestId, action, staffId: staffOf(ctx).id, ...subject }, 'audit');
}
