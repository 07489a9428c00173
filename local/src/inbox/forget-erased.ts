import { setTimeout as pause } from 'node:timers/promises';
import type { erasedEmails } from '@dune-tide/db/personal-data';
import { describeError, type Logger } from '@dune-tide/platform/log';
import type { Inbox } from './inbox.ts';

export interface ForgetDependencies {
  readonly inbox: Pick<Inbox, 'deleteErased'>;
  readonly erased: ReturnType<typeof erasedEmails>;
  readonly logger: Logger;
  readonly intervalMs?: number;
}

/**
 * Deletes the emails of erased leads from the inbox, soon after each erasure and once more later, because an email that
 * was being sent can still arrive (docs/PRODUCT.md, "Erasure").
 * @returns a function that stops it
 */
export function startForgetting({
  inbox,
  erased,
  logger,
  intervalMs = 5_000,
}: ForgetDependencies): () => Promise<void> {
  const closing = new AbortController();
  const run = async (): Promise<void> => {
    let seen: number | undefined;
    let isRepeated = true;
    while (!closing.signal.aborted) {
      try {
        const count = await erased.count();
        if (count !== (seen ?? 0) || !isRepeated) await inbox.deleteErased((mails) => erased.keptOf(mails));
        isRepeated = count === (seen ?? 0);
        seen = count;
      } catch (error) {
        logger.warn({ error: describeError(error) }, 'emails of erased leads not deleted');
      }
      await pause(intervalMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  };
  const ended = run();
  return async () => {
    closing.abort();
    await ended;
  };
}
