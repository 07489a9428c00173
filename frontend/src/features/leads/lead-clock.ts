import { dueSoonHours } from '@dune-tide/domain/limits';
import type { LeadResponse } from '@dune-tide/domain/leads';
import type { Lead } from '@dune-tide/domain/responses/lead';

type Clocked = Pick<Lead, 'dueAt' | 'response'>;

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * Returns the response of a lead at a time. The server's value is that of the time at which the lead was loaded.
 * @param now - in milliseconds since the epoch
 */
export function responseAt({ dueAt, response }: Clocked, now: number): LeadResponse {
  if (dueAt === null || response === 'none' || response === 'answered') return response;
  const left = Date.parse(dueAt) - now;
  if (left <= 0) return 'overdue';
  return left <= dueSoonHours * hour ? 'soon' : 'waiting';
}

/**
 * Returns the time until a lead is due, e.g. "due in 3 h" or "overdue by 2 h" (docs/PRODUCT.md, "Clock").
 * @param now - in milliseconds since the epoch
 * @returns undefined while the clock does not run
 */
export function formatDue(lead: Clocked, now: number): string | undefined {
  const response = responseAt(lead, now);
  if (lead.dueAt === null || response === 'none' || response === 'answered') return undefined;
  const left = Date.parse(lead.dueAt) - now;
  return response === 'overdue' ? `overdue by ${shortTime(-left)}` : `due in ${shortTime(left)}`;
}

/** Returns a duration in one unit, rounded down, at least one minute; the unit is joined by a no-break space. */
function shortTime(duration: number): string {
  if (duration < hour) return `${Math.max(1, Math.floor(duration / minute))}\u{A0}min`;
  if (duration < 2 * day) return `${Math.floor(duration / hour)}\u{A0}h`;
  return `${Math.floor(duration / day)}\u{A0}d`;
}
