import type { Queue } from 'bullmq';
import type { Logger } from '../log.ts';
import type { QueueSettings } from './connections.ts';
import { lazyQueue } from './lazy-queue.ts';

/**
 * BullMQ's own queue, for its board. Its connections are its own, and not opened before they are asked for: the board
 * reads several things at once, each for up to five seconds, and a producer behind them would give up after two.
 */
export interface BoardQueue {
  /** @throws {QueueUnavailableError} */
  open(): Promise<Queue>;
  /** @throws when the queue does not answer */
  check(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Prepares BullMQ's own queue for its board.
 * @returns the queue, which connects when it is first asked for
 */
export function boardQueue(settings: QueueSettings, logger: Logger): BoardQueue {
  const { ready, check, close } = lazyQueue(settings, logger);
  return {
    // Both backends' queues answer to the same calls; only BullMQ's types tell them apart.
    open: async () => (await ready()).queue as Queue,
    check,
    close,
  };
}
