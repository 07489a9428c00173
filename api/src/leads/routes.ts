import type { leadIntake } from '@dune-tide/db/leads';
import { owedFollowUps } from '@dune-tide/domain/leads';
import type { Router } from '@koa/router';
import type { Middleware } from 'koa';
import type { ClientAddress } from '../http/client-address.ts';
import { idempotencyOf } from '../http/idempotency.ts';
import { jsonBody } from '../http/json-body.ts';
import { Problem } from '../http/problem.ts';
import type { RateLimitStore } from '../http/rate-limit-store.ts';
import { rateLimit } from '../http/rate-limit.ts';
import { leadForms, type LeadForm } from './lead-forms.ts';
import type { WakeUps } from './wake-up.ts';

export interface LeadRoutesDependencies {
  readonly intake: ReturnType<typeof leadIntake>;
  readonly wakeUps: WakeUps;
  readonly addressOf: ClientAddress;
  readonly rateLimits: RateLimitStore;
  readonly publicPostLimit: number;
  readonly staffEmail: string | undefined;
}

/** The public forms: each a line of the table, all the same pipeline. */
export function leadRoutes(router: Router, dependencies: LeadRoutesDependencies): void {
  const { addressOf, rateLimits, publicPostLimit } = dependencies;
  for (const form of leadForms) {
    const limit = rateLimit(rateLimits, form.path, publicPostLimit, addressOf);
    router.post(form.path, limit, jsonBody(), takeIn(form, dependencies));
  }
}

function takeIn({ kind, read }: LeadForm, { intake, wakeUps, staffEmail }: LeadRoutesDependencies): Middleware {
  return async (ctx) => {
    const answers = read(ctx.state['body']);
    const taken = await intake.takeIn({
      kind,
      email: answers.email,
      status: kind === 'service_inquiry' ? 'new' : null,
      answers,
      followUps: owedFollowUps(kind, staffEmail !== undefined).map((followUp) => ({
        kind: followUp,
        recipient: followUp === 'staff_notice' && staffEmail !== undefined ? staffEmail : answers.email,
      })),
      idempotency: idempotencyOf(ctx, answers),
    });
    if (taken.outcome === 'key_reused') {
      throw new Problem(422, { detail: 'This Idempotency-Key was used for another request.' });
    }
    ctx.state['leadId'] = taken.id;
    ctx.status = 201;
    ctx.body = { id: taken.id };
    if (taken.outcome === 'stored') wakeUps.add(taken.followUps);
  };
}
