import type { ReachedLimit } from '@dune-tide/db/follow-ups';
import { staffEmailLimits } from '@dune-tide/domain/limits';
import { staffCalls } from '@dune-tide/domain/staff-calls';
import { limitReached, type Problem } from '../http/errors/problem.ts';

const details: Readonly<Record<ReachedLimit['limit'], string>> = {
  lead: `A lead gets at most ${staffEmailLimits.perLead} replies in ${staffEmailLimits.leadMinutes} minutes.`,
  account: `You can send at most ${staffCalls.reply.perHour} emails in an hour.`,
  mailbox: `A mailbox gets at most ${staffEmailLimits.perMailboxAndHour} emails from staff in an hour.`,
};

/** Returns the 429 of a limit of emails that staff have sent (docs/PRODUCT.md, "Limits of replies"). */
export function emailLimitReached({ limit, retryAfterSeconds }: ReachedLimit): Problem {
  return limitReached(details[limit], retryAfterSeconds);
}
