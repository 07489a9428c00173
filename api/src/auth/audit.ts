import type { Logger } from '@dune-tide/platform/log';
import type { Context } from '../http/context.ts';
import { staffOf } from './session.ts';

/** An action that `audit_log` does not record, or whose result it does not. */
type LoggedAction =
  | 'follow_up_retried'
  | 'follow_up_cancelled'
  | 'follow_ups_retried'
  | 'follow_ups_cancelled'
  | 'leads_exported'
  | 'opt_out_removed';

/**
 * Logs what a member of staff did.
 * @param fields - ids and numbers, never what a visitor or a member typed
 */
export function audit(
  logger: Logger,
  ctx: Context,
  action: LoggedAction,
  fields: Readonly<Record<string, string | number | boolean | undefined>>,
): void {
  logger.info({ requestId: ctx.state.requestId, action, staffId: staffOf(ctx).id, ...fields }, 'audit');
}
