import type { FollowUpState } from '@dune-tide/domain/follow-ups';
import type { Knex } from 'knex';
import { followUpDesk } from './follow-up-desk.ts';
import { followUpLedger } from './follow-ups.ts';

/** How things stand: the counts of states that have rows, and for how long the oldest that waits has been owed. */
export interface FollowUpStanding {
  readonly counts: Partial<Record<FollowUpState, number>>;
  readonly oldestWaitingSeconds: number | null;
}

/** Costs the same at any number of follow-ups. */
export async function followUpStanding(db: Knex): Promise<FollowUpStanding> {
  const [counts, oldestWaitingSeconds] = await Promise.all([
    followUpLedger(db).countByState(),
    followUpDesk(db).oldestWaitingSeconds(),
  ]);
  return { counts, oldestWaitingSeconds };
}
