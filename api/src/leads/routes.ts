import { requiredFollowUps } from '@dune-tide/domain/leads';
import { formTokenResponse } from '@dune-tide/domain/responses/form-token';
import { storedLeadResponse } from '@dune-tide/domain/responses/lead';
import { string, type Presented } from '@dune-tide/domain/responses/schema';
import { formTokenHeader } from '@dune-tide/domain/spam';
import { idempotencyConflict, idempotencyKey, idempotencyKeyOf } from '../http/requests/idempotency.ts';
import { route, type Route } from '../http/route.ts';
import { limitSubmissions, tooManySubmissions } from '../rate-limits/submission-limit.ts';
import type { Services } from '../services.ts';
import { leadForms, type LeadForm } from './lead-forms.ts';
import { spamSignOf } from './spam-sign.ts';

type LeadServices = Pick<
  Services,
  'intake' | 'wakeUps' | 'formTokens' | 'networksOf' | 'rateLimits' | 'publicPostLimit' | 'staffEmail'
>;

const formToken = {
  [formTokenHeader]: {
    description: 'The token that was issued when the form was first touched.',
    schema: string,
  },
};

/** Declares the public forms, which share one pipeline, and the call that issues form tokens. */
export function leadRoutes(services: LeadServices): Route[] {
  const { formTokens } = services;
  return [
    route(
      { method: 'GET', path: '/api/form-token', access: 'anyone' },
      {
        summary: 'Issues a token that records when a form was first touched',
        responses: { 200: { description: 'The token.', schema: formTokenResponse } },
        handle(ctx) {
          ctx.body = { token: formTokens.issue() } satisfies Presented<typeof formTokenResponse>;
        },
      },
    ),
    ...leadForms.map((form) => formRoute(form, services)),
  ];
}

function formRoute({ path, kind, body }: LeadForm, services: LeadServices): Route {
  const { intake, wakeUps, formTokens, staffEmail } = services;
  return route(
    { method: 'POST', path, access: 'anyone' },
    {
      summary: `Stores a lead: ${body.schemas.map(({ description }) => description).join('; ')}`,
      headers: { ...idempotencyKey, ...formToken },
      body,
      limit: limitSubmissions(services, path),
      responses: {
        201: {
          description: 'The lead and its follow-ups are stored. The id is that of the lead.',
          schema: storedLeadResponse,
        },
      },
      problems: [429, 503],
      async handle(ctx, { body: values, sentBody, limit: takeQuotas }) {
        const email = String(values['email']);
        const taken = await intake.storeLead({
          kind,
          email,
          fields: values,
          followUps: requiredFollowUps({ kind, email }, staffEmail),
          spamSign: spamSignOf(ctx, sentBody, kind, formTokens),
          idempotencyKey: idempotencyKeyOf(ctx),
          quotas: takeQuotas(Buffer.byteLength(JSON.stringify(values))),
        });
        if (taken.outcome === 'over_quota') throw tooManySubmissions(taken.exhausted);
        if (taken.outcome === 'key_reused') throw idempotencyConflict();
        ctx.state.leadId = taken.id;
        // The setters of the context are slow, so this sets the response directly.
        ctx.response.status = 201;
        ctx.response.body = { id: taken.id } satisfies Presented<typeof storedLeadResponse>;
        if (taken.outcome === 'stored') wakeUps.add(taken.followUps);
      },
    },
  );
}
