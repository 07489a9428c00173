import {
  emailOptOuts,
  followUpAdmin,
  followUpOrders,
  changeAll,
  type OptOut,
  type FollowUpChange,
  type FollowUpOrder,
  type ListedFollowUp,
  type Correction,
  type replyStore,
} from '@dune-tide/db/follow-ups';
import {
  cancellableStates,
  followUpStates,
  retryableStates,
  transports,
  type FollowUpState,
  type TransportName,
} from '@dune-tide/domain/follow-ups';
import { cancelAllForm, retryAllForm } from '@dune-tide/domain/forms/follow-up-change';
import {
  byState,
  type changedCountResponse,
  type followUpCountsResponse,
  type followUpResponse,
  type optOutResponse,
} from '@dune-tide/domain/responses/follow-up';
import { recipientForm } from '@dune-tide/domain/forms/reply';
import type { Presented } from '@dune-tide/domain/responses/schema';
import type { Logger } from '@dune-tide/platform/log';
import type { Knex } from 'knex';
import type { Context, Router } from '../http/context.ts';
import { formReader } from '@dune-tide/platform/form-reader';
import { jsonBody } from '../http/requests/json-body.ts';
import { invalidParameter, Problem } from '../http/errors/problem.ts';
import { resourceId } from '../http/requests/resource-id.ts';
import { readPage } from '../http/requests/pagination.ts';
import type { WakeUps } from '../leads/wake-up.ts';
import { auditFollowUps } from '../auth/audit.ts';
import { staffOf } from '../auth/session.ts';

export interface FollowUpRoutesDependencies {
  readonly database: Knex;
  readonly replies: ReturnType<typeof replyStore>;
  readonly wakeUps: WakeUps;
  readonly logger: Logger;
}

/** The sort order if the request has none. */
export const defaultOrder: FollowUpOrder = 'newest';

/**
 * Time after which no further batch starts. The last batch may take another 3.75 s, the time limit of a statement, and
 * the response must be sent before the server closes the idle connection after 9 s. The counts show what is left.
 */
const changeAllLimitMs = 3_000;

/** Registers the staff's calls for follow-ups. All of them need a session. */
export function followUpRoutes(
  router: Router,
  { database, replies, wakeUps, logger }: FollowUpRoutesDependencies,
): void {
  const admin = followUpAdmin(database);
  const optOuts = emailOptOuts(database);
  const readRetryAll = formReader(retryAllForm);
  const readCancelAll = formReader(cancelAllForm);
  const readRecipient = formReader(recipientForm);

  router.get('/follow-ups', async (ctx) => {
    const state = enumParam(ctx, 'state', followUpStates);
    const order = ctx.query['order'] === undefined ? defaultOrder : enumParam(ctx, 'order', followUpOrders);
    const transport = transportParam(ctx);
    const page = await readPage(ctx, {
      list: `follow-ups ${state} ${order} ${transport ?? 'all'}`,
      query: `state=${state}&order=${order}${transport === undefined ? '' : `&transport=${transport}`}`,
      total: async () => (await admin.countByState(transport))[state] ?? 0,
      page: (limit, after) => admin.page(state, order, limit, after, transport),
    });
    ctx.body = page.map(presentFollowUp);
  });

  router.get('/leads/:id/follow-ups', async (ctx) => {
    const owed = await admin.ofLead(resourceId(ctx));
    if (!owed) throw new Problem(404);
    ctx.body = owed.map(presentFollowUp);
  });

  router.get('/follow-ups/counts', async (ctx) => {
    const { counts, oldestWaitingSeconds } = await admin.standing(transportParam(ctx));
    ctx.body = {
      counts: byState((state) => counts[state] ?? 0),
      oldestWaitingSeconds,
    } satisfies Presented<typeof followUpCountsResponse>;
  });

  router.post('/follow-ups/retry', jsonBody(), async (ctx) => {
    const { state, transport } = readRetryAll(ctx.state.body);
    const ends = performance.now() + changeAllLimitMs;
    const changed = await changeAll((batch) => admin.retrySome(state, { ...batch, transport }), {
      notAfter: await admin.now(),
      onBatch(rows) {
        auditFollowUps(logger, ctx, 'follow_ups_retried', { state, transport, count: rows.length });
        wakeUps.add(rows);
      },
      ends,
    });
    ctx.body = { changed } satisfies Presented<typeof changedCountResponse>;
  });

  router.post('/follow-ups/cancel', jsonBody(), async (ctx) => {
    const { state, transport } = readCancelAll(ctx.state.body);
    const ends = performance.now() + changeAllLimitMs;
    const changed = await changeAll((batch) => admin.cancelSome(state, { ...batch, transport }), {
      notAfter: await admin.now(),
      onBatch: (rows) => auditFollowUps(logger, ctx, 'follow_ups_cancelled', { state, transport, count: rows.length }),
      ends,
    });
    ctx.body = { changed } satisfies Presented<typeof changedCountResponse>;
  });

  router.get('/opt-outs', async (ctx) => {
    const page = await readPage(ctx, {
      list: 'opt-outs',
      total: () => optOuts.total(),
      page: (limit, after) => optOuts.page(limit, after),
    });
    ctx.body = page.map(presentOptOut);
  });

  router.delete('/opt-outs/:id', async (ctx) => {
    const id = resourceId(ctx);
    if (!(await optOuts.remove(id))) throw new Problem(404);
    auditFollowUps(logger, ctx, 'opt_out_removed', { optOutId: id });
    // Koa sends 204 for an empty body.
    ctx.body = null;
  });

  router.post('/follow-ups/:id/retry', async (ctx) => {
    const followUp = changedOne(await admin.retry(resourceId(ctx), expectedState(ctx, retryableStates)));
    wakeUps.add([{ id: followUp.id, kind: followUp.kind }]);
    auditFollowUps(logger, ctx, 'follow_up_retried', { followUpId: followUp.id });
    ctx.body = presentFollowUp(followUp);
  });

  router.post('/follow-ups/:id/recipient', jsonBody(), async (ctx) => {
    const { email, changeLead = false } = readRecipient(ctx.state.body);
    const id = resourceId(ctx);
    const { followUp } = corrected(await replies.correctRecipient(id, email, changeLead, staffOf(ctx)));
    wakeUps.add([followUp]);
    auditFollowUps(logger, ctx, 'recipient_corrected', { followUpId: id });
    const now = await admin.one(id);
    if (!now) throw new Problem(404);
    ctx.body = presentFollowUp(now);
  });

  router.post('/follow-ups/:id/cancel', async (ctx) => {
    const followUp = changedOne(await admin.cancel(resourceId(ctx), expectedState(ctx, cancellableStates)));
    auditFollowUps(logger, ctx, 'follow_up_cancelled', { followUpId: followUp.id });
    ctx.body = presentFollowUp(followUp);
  });
}

/** @throws {Problem} 422 if the parameter is not one of the values */
function enumParam<Value extends string>(ctx: Context, name: string, values: readonly Value[]): Value {
  const value = values.find((known) => known === ctx.query[name]);
  if (value !== undefined) return value;
  throw invalidParameter(name, `${name} must be one of ${values.join(', ')}`);
}

/**
 * Returns the transport whose follow-ups are wanted; undefined for all.
 * @throws {Problem} 422 if the parameter is not one of the transports
 */
function transportParam(ctx: Context): TransportName | undefined {
  return ctx.query['transport'] === undefined ? undefined : enumParam(ctx, 'transport', transports);
}

/**
 * Returns the state that the caller saw, if the request has one. A change in another state is refused, so that it does
 * not undo what another member of staff has just done.
 * @throws {Problem} 422 if the parameter is not one of the states
 */
function expectedState<State extends FollowUpState>(ctx: Context, states: readonly State[]): State | undefined {
  return ctx.query['state'] === undefined ? undefined : enumParam(ctx, 'state', states);
}

/** @throws {Problem} 404 if the follow-up does not exist, 409 if its state or an opt-out does not allow the change */
function changedOne(change: FollowUpChange): ListedFollowUp {
  if (change.outcome === 'changed') return change.followUp;
  if (change.outcome === 'unknown') throw new Problem(404);
  if (change.outcome === 'opted_out') throw optedOut();
  if (change.outcome === 'withdrawn') throw new Problem(409, { detail: 'The reply was undone or replaced.' });
  throw new Problem(409, { detail: `The follow-up is ${change.state} now.` });
}

/** @throws {Problem} 404 if the email does not exist, 409 if its state, its kind or an opt-out does not allow the change */
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
    case 'refused':
      throw new Problem(409, { detail: `The follow-up is ${correction.state} now.` });
  }
}

const optedOut = (): Problem => new Problem(409, { detail: 'The mailbox is opted out of automatic emails.' });

/** Copies field by field, so that a new column is not sent by accident. */
function presentFollowUp(followUp: ListedFollowUp): Presented<typeof followUpResponse> {
  const { id, leadId, leadEmail, kind, event, recipient, state, attempts } = followUp;
  const { serverAnswer, withheldReason, nextTryAt, sentAt, createdAt, updatedAt } = followUp;
  const mail = { id, leadId, leadEmail, kind, event, recipient, state, attempts };
  return { ...mail, serverAnswer, withheldReason, nextTryAt, sentAt, createdAt, updatedAt };
}

function presentOptOut({ id, mailbox, createdAt }: OptOut): Presented<typeof optOutResponse> {
  return { id, mailbox, createdAt };
}
