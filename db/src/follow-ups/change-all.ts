import type { ChangeBatch } from './admin.ts';
import type { StoredFollowUp } from './new-follow-up.ts';

/** Small enough for the statement timeout, and for workers that wait for a locked row. */
const batchSize = 500;

export interface ChangeAllOptions {
  /** A time that `now` of `followUpAdmin` returned. */
  readonly notAfter: string;
  /** Called after each batch has been committed, because the next one may fail. It is not called for an empty batch. */
  readonly onBatch?: (changed: readonly StoredFollowUp[]) => void;
  /** The time, by `performance.now()`, after which no further batch starts. Without it all follow-ups are changed. */
  readonly ends?: number;
}

/**
 * Changes many follow-ups in batches.
 * @param changeSome - changes one batch: `retrySome` or `cancelSome` of a state. An empty batch is the last one.
 * @returns the number of changed follow-ups
 * @throws {DatabaseUnavailableError} if a batch fails; batches that were passed to `onBatch` stay changed
 */
export async function changeAll(
  changeSome: (batch: ChangeBatch) => Promise<readonly StoredFollowUp[]>,
  { notAfter, onBatch, ends = Infinity }: ChangeAllOptions,
): Promise<number> {
  let total = 0;
  for (;;) {
    const changed = await changeSome({ limit: batchSize, notAfter });
    total += changed.length;
    if (changed.length > 0) onBatch?.(changed);
    if (changed.length === 0 || performance.now() > ends) return total;
  }
}
