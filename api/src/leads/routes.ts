import type { leadIntake } from '@dune-tide/db/leads';
import { requiredFollowUps } from '@dune-tide/domain/leads';
import type { formTokenResponse } from '@dune-tide/domain/responses/form-token';
import type { storedLeadResponse } from '@dune-tide/domain/responses/lead';
import type { Presented } from '@dune-tide/domain/responses/schema';
import type { ClientNetworksOf } from '../http/server/client-networks.ts';
import type { Middleware, Router } from '../http/context.ts';
import { idempotencyKeyOf, idempotencyConflict } from '../http/requests/idempotency.ts';
import { jsonBody } from '../http/requests/json-body.ts';
import type { RateLimitStore } from '../rate-limits/rate-limit-store.ts';
import { limitSubmissions, takeQuotas, tooManySubmissions } from '../rate-limits/submission-limit.ts';
import type { FormTokens } from './form-tokens.ts';
import { leadForms, type LeadForm } from './lead-forms.ts';
import { spamSignOf } from './spam-sign.ts';
import type { WakeUps } from './wake-up.ts';

export interface LeadRoutesDependencies {
  readonly intake: ReturnType<typeof leadIntake>;
  readonly wakeUps: WakeUps;
  readonly tokens: FormTokens;
  readonly networksOf: ClientNetworksOf;
  readonly rateLimits: RateLimitStore;
  readonly publicPostLimit: number;
  readonly staffEmail: string | undefined;
}

/** Registers the public forms, which share one pipeline, and the call that issues form tokens. */
export function leadRoutes(router: Router, dependencies: LeadRoutesDependencies): void {
  const { networksOf, rateLimits, publicPostLimit, tokens } = dependencies;
  router.get('/api/form-token', (ctx) => {
    ctx.body = { token: tokens.issue() } satisfies Presented<typeof formTokenResponse>;
  });
  for (const form of leadForms) {
    const limit = limitSubmissions(rateLimits, form.path, publicPostLimit, networksOf);
    router.post(form.path, limit, jsonBody(), takeIn(form, dependencies));
  }
}

function takeIn({ kind, read }: LeadForm, dependencies: LeadRoutesDependencies): Middleware {
  const { intake, wakeUps, tokens, staffEmail } = dependencies;
  return async (ctx) => {
    const answers = read(ctx.state.body);
    const taken = await intake.takeIn({
      kind,
      email: answers.email,
      answers,
      followUps: requiredFollowUps({ kind, email: answers.email }, staffEmail),
      spamSign: spamSignOf(ctx, kind, tokens),
      idempotencyKey: idempotencyKeyOf(ctx),
      quotas: takeQuotas(ctx, Buffer.byteLength(JSON.stringify(answers))),
    });
    if (taken.outcome === 'over_quota') throw tooManySubmissions(taken.exhausted);
    if (taken.outcome === 'key_reused') throw idempotencyConflict();
    ctx.state.leadId = taken.id;
    // The setters of the context are slow, so this sets the response directly.
    ctx.response.status = 201;
    ctx.response.body = { id: taken.id } satisfies Presented<typeof storedLeadResponse>;
    if (taken.outcome === 'stored') wakeUps.add(taken.followUps);
  };
}
