import type { StaffIdentity } from '@dune-tide/db/staff';
import type { Logger } from '@dune-tide/platform/log';
import type { Context } from 'koa';

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
  const actor = ctx.state['staff'] as StaffIdentity | undefined;
  logger.info({ requestId: ctx.state['requestId'], action, staffId: actor?.id, accountId }, 'audit');
}

/** Logs who did what to which lead. */
export function auditLead(logger: Logger, ctx: Context, action: 'lead_released', leadId: string): void {
  const actor = ctx.state['staff'] as StaffIdentity | undefined;
  logger.info({ requestId: ctx.state['requestId'], action, staffId: actor?.id, leadId }, 'audit');
}
