import { audited, type AuditEntry } from '@dune-tide/db/audit-log';
import {
  changeAll,
  emailOptOuts,
  followUpAdmin,
  followUpOrders,
  type FollowUpChange,
  type ListedFollowUp,
  type Correction,
} from '@dune-tide/db/follow-ups';
import { deliveryInWords, readFollowUpTerm } from '@dune-tide/domain/follow-up-reports';
import {
  cancellableStates,
  followUpStates,
  retryableStates,
  transports,
  type FollowUpState,
  type TransportName,
} from '@dune-tide/domain/follow-ups';
import { cancelAllForm, retryAllForm } from '@dune-tide/domain/forms/follow-up-change';
import { recipientForm } from '@dune-tide/domain/forms/reply';
import {
  byState,
  changedCountResponse,
  followUpCountsResponse,
  followUpResponse,
  foundFollowUpResponse,
  optOutResponse,
} from '@dune-tide/domain/responses/follow-up';
import { array, oneOf, type Presented } from '@dune-tide/domain/responses/schema';
import { staffCalls } from '@dune-tide/domain/staff-calls';
import { entryOf } from '../auth/audit.ts';
import { staffOf } from '../auth/session.ts';
import type { Context } from '../http/context.ts';
import { foundFollowUps, maxTermLength } from '@dune-tide/domain/limits';
import { invalidParameter, Problem } from '../http/errors/problem.ts';
import { formBody } from '../http/requests/json-body.ts';
import { pageHeaders, pageQuery, readPage } from '../http/requests/pagination.ts';
import { emailParameter } from '../http/requests/query.ts';
import { route, type Route } from '../http/route.ts';
import type { Services } from '../services.ts';
import { emailLimitReached } from './email-limit-reached.ts';

/**
 * Time after which no further batch starts. The last batch may take another 3.75 s, the time limit of a statement, and
 * the response must be sent before the server closes the idle connection after 9 s. The counts show what is left.
 */
const changeAllLimitMs = 3_000;

const termMessage = 'must be an address, an id or a Message-ID';

const transportQuery = {
  transport: {
    description: 'How the follow-ups are sent. Without it, all are returned.',
    schema: oneOf(transports),
  },
};

/** Without the parameter, a change could undo what another member of staff has just done. */
const shownState = <const State extends string>(states: readonly State[]) => ({
  state: {
    description: 'The state that the caller saw. If the state has changed since, the follow-up is not changed.',
    schema: oneOf(states),
  },
});

const changedOne = { 200: { description: 'The follow-up after the change.', schema: followUpResponse } };
const changedAll = {
  200: {
    description: 'The number of follow-ups that were changed within the time limit.',
    schema: changedCountResponse,
  },
};

/** Declares the staff's calls for follow-ups. */
export function followUpRoutes({
  database,
  replies,
  wakeUps,
}: Pick<Services, 'database' | 'replies' | 'wakeUps'>): Route[] {
  const admin = followUpAdmin(database);
  const optOuts = emailOptOuts(database);
  return [
    route(staffCalls.followUps, {
      summary: 'Lists the follow-ups in one state',
      query: {
        state: { description: 'The state of the follow-ups.', isRequired: true, schema: oneOf(followUpStates) },
        order: { description: 'The sort order.', schema: { ...oneOf(followUpOrders), default: 'newest' } },
        ...transportQuery,
        ...pageQuery,
      },
      responses: {
        200: { description: 'A page of follow-ups.', schema: array(followUpResponse), headers: pageHeaders },
      },
      problems: [422],
      async handle(ctx, { query }) {
        const { state, order, transport } = query;
        const page = await readPage(ctx, query, {
          list: 'follow-ups',
          total: async () => (await admin.countByState(transport))[state] ?? 0,
          page: (limit, after) => admin.page(state, order, limit, after, transport),
        });
        ctx.body = page;
      },
    }),
    route(staffCalls.followUpsOfLead, {
      summary: 'Lists the follow-ups of a lead',
      responses: { 200: { description: 'Every follow-up of the lead.', schema: array(followUpResponse) } },
      problems: [404],
      async handle(ctx, { params: { id } }) {
        const followUps = await admin.ofLead(id);
        if (!followUps) throw new Problem(404);
        ctx.body = followUps;
      },
    }),
    route(staffCalls.findFollowUps, {
      summary: 'Finds the follow-ups of an address, a lead or a Message-ID',
      description: `The newest come first, ${foundFollowUps} at most.`,
      query: {
        term: {
          description: 'The address of a person, the id of a lead or of a follow-up, or a Message-ID.',
          isRequired: true,
          schema: { type: 'string', maxLength: maxTermLength },
          message: termMessage,
        },
      },
      responses: {
        200: { description: 'The follow-ups, and whether they were delivered.', schema: array(foundFollowUpResponse) },
      },
      problems: [422],
      async handle(ctx, { query }) {
        const term = readFollowUpTerm(query.term);
        if (!term) throw invalidParameter('term', `term ${termMessage}`);
        const found = await admin.find(term, foundFollowUps);
        ctx.body = found.map((followUp) => ({ ...followUp, inWords: deliveryInWords(followUp) }));
      },
    }),
    route(staffCalls.followUpCounts, {
      summary: 'Counts the follow-ups by state',
      query: transportQuery,
      responses: { 200: { description: 'The counts.', schema: followUpCountsResponse } },
      problems: [422],
      async handle(ctx, { query: { transport } }) {
        const { counts, oldestWaitingSeconds } = await admin.standing(transport);
        ctx.body = {
          counts: byState((state) => counts[state] ?? 0),
          oldestWaitingSeconds,
        } satisfies Presented<typeof followUpCountsResponse>;
      },
    }),
    route(staffCalls.retryFollowUps, {
      summary: 'Retries all follow-ups in one state; the email limits do not apply',
      description:
        'Follow-ups to mailboxes that are opted out, or that have reached the limit of emails from staff, do not change.',
      body: formBody(retryAllForm),
      responses: changedAll,
      async handle(ctx, { body: { state, transport } }) {
        const ends = performance.now() + changeAllLimitMs;
        const changed = await changeAll(
          (batch) =>
            audited(
              database,
              (transaction) => followUpAdmin(transaction).retrySome(state, { ...batch, transport }),
              entryOfBatch(ctx, staffCalls.retryFollowUps, state, transport),
            ),
          { notAfter: await admin.now(), onBatch: (rows) => wakeUps.add(rows), ends },
        );
        ctx.body = { changed } satisfies Presented<typeof changedCountResponse>;
      },
    }),
    route(staffCalls.cancelFollowUps, {
      summary: 'Cancels all follow-ups in one state',
      body: formBody(cancelAllForm),
      responses: changedAll,
      async handle(ctx, { body: { state, transport } }) {
        const ends = performance.now() + changeAllLimitMs;
        const changed = await changeAll(
          (batch) =>
            audited(
              database,
              (transaction) => followUpAdmin(transaction).cancelSome(state, { ...batch, transport }),
              entryOfBatch(ctx, staffCalls.cancelFollowUps, state, transport),
            ),
          { notAfter: await admin.now(), ends },
        );
        ctx.body = { changed } satisfies Presented<typeof changedCountResponse>;
      },
    }),
    route(staffCalls.optOuts, {
      summary: 'Lists the mailboxes that are opted out of automatic emails',
      query: { email: { ...emailParameter, description: 'Returns only the mailbox of this address.' }, ...pageQuery },
      responses: { 200: { description: 'A page of opt-outs.', schema: array(optOutResponse), headers: pageHeaders } },
      problems: [422],
      async handle(ctx, { query }) {
        const page = await readPage(ctx, query, {
          list: 'opt-outs',
          total: () => optOuts.total(),
          page: (limit, after) => optOuts.page(limit, after, query.email),
        });
        ctx.body = page;
      },
    }),
    route(staffCalls.removeOptOut, {
      summary: 'Allows automatic emails to a mailbox again',
      responses: { 204: { description: 'Automatic emails to the mailbox are allowed again.' } },
      problems: [404],
      async handle(ctx, { params: { id } }) {
        const isRemoved = await audited(
          database,
          (transaction) => emailOptOuts(transaction).remove(id),
          (removed) => removed && entryOf(ctx, staffCalls.removeOptOut, { subjectId: id }),
        );
        if (!isRemoved) throw new Problem(404);
        // Koa sends 204 for an empty body.
        ctx.body = null;
      },
    }),
    route(staffCalls.retryFollowUp, {
      summary: `Retries a follow-up that is ${retryableStates.join(' or ')}`,
      query: shownState(retryableStates),
      responses: changedOne,
      problems: [404, 409, 422, 429],
      async handle(ctx, { params: { id }, query: { state } }) {
        const followUp = requireChanged(
          await audited(
            database,
            (transaction) => followUpAdmin(transaction).retry(id, state),
            entryOfOne(ctx, staffCalls.retryFollowUp),
          ),
        );
        wakeUps.add([{ id: followUp.id, kind: followUp.kind }]);
        ctx.body = followUp;
      },
    }),
    route(staffCalls.correctRecipient, {
      summary: 'Corrects the address of a failed email to a visitor, and retries it',
      description: 'The history of the lead records the correction.',
      body: formBody(recipientForm),
      responses: changedOne,
      problems: [404, 409, 429],
      async handle(ctx, { params: { id }, body: { email, changeLead = false } }) {
        const { followUp } = corrected(await replies.correctRecipient(id, email, changeLead, staffOf(ctx)));
        wakeUps.add([followUp]);
        const now = await admin.one(id);
        if (!now) throw new Problem(404);
        ctx.body = now;
      },
    }),
    route(staffCalls.cancelFollowUp, {
      summary: `Cancels a follow-up that is ${cancellableStates.join(' or ')}`,
      query: shownState(cancellableStates),
      responses: changedOne,
      problems: [404, 409, 422],
      async handle(ctx, { params: { id }, query: { state } }) {
        ctx.body = requireChanged(
          await audited(
            database,
            (transaction) => followUpAdmin(transaction).cancel(id, state),
            entryOfOne(ctx, staffCalls.cancelFollowUp),
          ),
        );
      },
    }),
  ];
}

type AuditedCall = Parameters<typeof entryOf>[1];

/** Returns the entry of a changed follow-up, which reports its lead. */
const entryOfOne =
  (ctx: Context, call: AuditedCall) =>
  (change: FollowUpChange): AuditEntry | false =>
    change.outcome === 'changed' &&
    entryOf(ctx, call, { subjectId: change.followUp.leadId ?? undefined, details: { followUpId: change.followUp.id } });

/** Returns the entry of a batch of follow-ups that were in one state. */
const entryOfBatch =
  (ctx: Context, call: AuditedCall, state: FollowUpState, transport?: TransportName) =>
  ({ length }: readonly unknown[]): AuditEntry | false =>
    length > 0 && entryOf(ctx, call, { details: { state, ...(transport && { transport }), count: length } });

/**
 * @throws {Problem} 404 if the follow-up does not exist, 409 if its state or an opt-out does not allow the change, 429
 *   above a limit
 */
function requireChanged(change: FollowUpChange): ListedFollowUp {
  if (change.outcome === 'changed') return change.followUp;
  if (change.outcome === 'unknown') throw new Problem(404);
  if (change.outcome === 'opted_out') throw optedOut();
  if (change.outcome === 'limited') throw emailLimitReached(change.reached);
  if (change.outcome === 'withdrawn') throw new Problem(409, { detail: 'The reply was undone or replaced.' });
  throw new Problem(409, { detail: `The follow-up is ${change.state} now.` });
}

/**
 * @throws {Problem} 404 if the email does not exist, 409 if its state, its kind or an opt-out does not allow the change,
 *   429 above a limit
 */
function corrected(correction: Correction): Extract<Correction, { readonly outcome: 'corrected' }> {
  switch (correction.outcome) {
    case 'corrected':
      return correction;
    case 'unknown':
      throw new Problem(404);
    case 'wrong_kind':
      throw new Problem(409, { detail: 'Only the address of an email to a visitor can be corrected.' });
    case 'opted_out':
      throw optedOut();
    case 'limited':
      throw emailLimitReached(correction.reached);
    case 'refused':
      throw new Problem(409, { detail: `The follow-up is ${correction.state} now.` });
  }
}

const optedOut = (): Problem => new Problem(409, { detail: 'The mailbox is opted out of automatic emails.' });
