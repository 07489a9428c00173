import { brand } from '@dune-tide/domain/brand';
import { dueSoonHours } from '@dune-tide/domain/limits';
import { leadExpressions } from './columns.ts';

/*
 * SQL expressions over the columns of `leads` (docs/PRODUCT.md, "Clock"), for queries and triggers. PostgreSQL uses the
 * indexes `leads_unanswered` and `leads_answered` only if `needsAnswer`, `wasAnswered` and `clockStart` stay as they are
 * written here.
 */

const { hasClock, isAnswered: wasEverAnswered, ...lead } = leadExpressions('');

/** The time at which the clock started: when the lead was received or released. */
export const { clockStart } = lead;

/** Whether a lead has a clock and is unanswered. */
export const needsAnswer = `
  ${hasClock} and answered_at is null
  and (answered_before is null or created_at >= answered_before)`;

/** Whether a lead has a clock and was answered at a known time. */
export const wasAnswered = `${hasClock} and answered_at is not null`;

/** Whether a lead was answered, with or without a known time. */
export const isAnswered = `(${wasEverAnswered})`;

/** The time that was promised for an answer. */
export const promised = `interval '${brand.responsePromiseHours} hours'`;

/** A lead whose clock started at or after this time is not overdue. */
export const overdueBefore = `now() - ${promised}`;

/** A lead whose clock started at or before this time is due soon or overdue. */
export const soonUntil = `now() - interval '${brand.responsePromiseHours - dueSoonHours} hours'`;

/** The time at which the answer is due; null without a clock. */
export const dueAt = `case when ${hasClock} then ${clockStart} + ${promised} end`;

/** The `LeadResponse` of a lead. */
export const response = `case
  when not (${hasClock}) then 'none'
  when ${isAnswered} then 'answered'
  when ${clockStart} < ${overdueBefore} then 'overdue'
  when ${clockStart} <= ${soonUntil} then 'soon'
  else 'waiting'
end`;
