import type { ChangeBatch } from './follow-up-admin.ts';
import type { StoredFollowUp } from './leads.ts';

/** Well within a statement's time limit, and no worker waits long for a row of it. */
const batchSize = 500;

export interface ChangeAllOptions {
  /** As `followUpAdmin` returns it from `now`. */
  readonly notAfter: string;
  /** Told of each batch once it is committed, since the next one may fail; an empty one is not told of. */
  readonly onBatch: (changed: readonly StoredFollowUp[]) => void;
  /** No further batch begins then, by `performance.now()`; without it all are changed. */
  readonly ends?: number;
}

/**
 * Changes many follow-ups, a batch at a time.
 * @param changeSome - `retrySome` or `cancelSome` of a state
 * @returns how many were changed
 * @throws {DatabaseUnavailableError} what `onBatch` was told of stays changed
 */
export async function changeAll(
  changeSome: (batch: ChangeBatch) => Promise<readonly StoredFollowUp[]>,
  { notAfter, onBatch, ends = Infinity }: ChangeAllOptions,
): Promise<number> {
  let total = 0;
  for (;;) {
    const changed = await changeSome({ limit: batchSize, notAfter });
    total += changed.length;
    if (changed.length > 0) onBatch(changed);
    if (changed.length < batchSize || performance.now() > ends) return total;
  }
}
