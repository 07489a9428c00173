import type { DeskBatch } from './follow-up-desk.ts';
import type { StoredFollowUp } from './leads.ts';

/** Well within a statement's time limit, and no worker waits long for a row of it. */
const batchSize = 500;

export interface ChangeAllOptions {
  /** As the desk's `now` gives it. */
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
  changeSome: (batch: DeskBatch) => Promise<readonly StoredFollowUp[]>,
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
