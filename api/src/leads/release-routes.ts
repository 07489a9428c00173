import { requiredFollowUps } from '@dune-tide/domain/leads';
import type { leadIntake } from '@dune-tide/db/leads';
import type { Logger } from '@dune-tide/platform/log';
import type { Router } from '../http/context.ts';
import { Problem } from '../http/errors/problem.ts';
import { resourceId } from '../http/requests/resource-id.ts';
import { auditLead } from '../auth/audit.ts';
import type { WakeUps } from './wake-up.ts';

export interface ReleaseRoutesDependencies {
  readonly intake: ReturnType<typeof leadIntake>;
  readonly wakeUps: WakeUps;
  readonly staffEmail: string | undefined;
  readonly logger: Logger;
}

/**
 * Registers the call with which staff mark a lead as not spam. Its emails are then sent. A lead that is not marked as
 * spam is left unchanged.
 * @param router - the staff router, which requires a session
 */
export function leadReleaseRoutes(router: Router, dependencies: ReleaseRoutesDependencies): void {
  const { intake, wakeUps, staffEmail, logger } = dependencies;
  router.post('/leads/:id/release', async (ctx) => {
    const id = resourceId(ctx);
    const release = await intake.release(id, (lead) => requiredFollowUps(lead, staffEmail));
    if (release.outcome === 'unknown') throw new Problem(404);
    if (release.outcome === 'released') {
      auditLead(logger, ctx, 'lead_released', id);
      wakeUps.add(release.followUps);
    }
    // Koa sends 204 for an empty body.
    ctx.body = null;
  });
}
