import type { Queue } from 'bullmq';
import type { Logger } from '../log.ts';
import type { QueueSettings } from './connections.ts';
import { lazyQueue } from './lazy-queue.ts';

/**
 * A BullMQ queue for the job board. It has its own connections, opened on first use: the board runs several concurrent
 * reads of up to five seconds, and a producer that waited for them would time out after two.
 */
export interface BoardQueue {
  /** @throws {QueueUnavailableError} */
  open(): Promise<Queue>;
  /** @throws if the queue is unavailable */
  check(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Prepares the queue of the job board.
 * @returns the queue, which connects on first use
 */
export function boardQueue(settings: QueueSettings, logger: Logger): BoardQueue {
  const { ready, check, close } = lazyQueue(settings, logger);
  return {
    // The queues of both backends have the same methods; only their types differ.
    open: async () => (await ready()).queue as Queue,
    check,
    close,
  };
}
