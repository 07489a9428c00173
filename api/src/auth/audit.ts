import { auditLog, type AuditEntry } from '@dune-tide/db/audit-log';
import type { AuditAction } from '@dune-tide/domain/audit-actions';
import type { Knex } from 'knex';
import type { Context, Middleware } from '../http/context.ts';
import { Problem } from '../http/errors/problem.ts';
import { matchedRoute } from '../http/observability/logged-path.ts';
import type { Services } from '../services.ts';
import { auditOrigin } from './session-origin.ts';
import { staffOf } from './session.ts';

/**
 * Returns the entry of the audit log that a call leaves.
 * @param call - a row of `staffCalls`
 */
export function entryOf(
  ctx: Context,
  { auditedAs }: { readonly auditedAs: AuditAction },
  about: Pick<AuditEntry, 'subjectId' | 'details'> = {},
): AuditEntry {
  return { action: auditedAs, actor: { id: staffOf(ctx).id }, ...about };
}

/** Records the calls of signed-in accounts that are refused with 403, up to a limit. */
export function refusedAccess({ database, networksOf }: Pick<Services, 'database' | 'networksOf'>): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const id = ctx.state.staff?.id;
      if (id !== undefined && error instanceof Problem && error.status === 403) {
        await auditLog(database).addRefusal({
          action: 'access_refused',
          actor: { id },
          subjectId: id,
          details: {
            reason: error.options.type ?? 'forbidden',
            call: `${ctx.method} ${matchedRoute(ctx) ?? ''}`.trim(),
          },
          origin: auditOrigin(ctx, networksOf(ctx.req)),
        });
      }
      throw error;
    }
  };
}

/** Returns a handler of errors that records an attempt which a limit refuses, up to a limit, and throws the error again. */
export function limitedAttempt(database: Knex, about: Omit<AuditEntry, 'action'>) {
  return async (error: unknown): Promise<never> => {
    if (error instanceof Problem && error.status === 429) {
      await auditLog(database).addRefusal({ action: 'attempt_limited', ...about });
    }
    throw error;
  };
}
