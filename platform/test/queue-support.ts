import { randomUUID } from 'node:crypto';
import { memoryLogger } from '@dune-tide/testkit/log';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { QueueSettings } from '../src/queue/connections.ts';
import { startConsumer, type FollowUpConsumer } from '../src/queue/consumer.ts';
import type { WakeUp } from '../src/queue/jobs.ts';
import { openProducer, type FollowUpProducer } from '../src/queue/producer.ts';

export const wakeUp = (id: string = randomUUID()): WakeUp => ({ id, kind: 'acknowledgement' });
export const wakeUps = (count: number): WakeUp[] => Array.from({ length: count }, () => wakeUp());

/** Returns the error of a rejected promise and the seconds until it was rejected. */
export async function failure(promise: Promise<unknown>): Promise<{ error: unknown; seconds: number }> {
  const started = performance.now();
  const error = await promise.then(
    () => expect.fail('resolved'),
    (reason: unknown) => reason,
  );
  return { error, seconds: (performance.now() - started) / 1000 };
}

/** Retries until the queue accepts a wake-up. */
export async function untilTaken(producer: FollowUpProducer, next: () => WakeUp = wakeUp): Promise<void> {
  await until('the queue accepts a wake-up', () =>
    producer.enqueue([next()]).then(
      () => true,
      () => false,
    ),
  );
}

/** Opens producers and consumers, and closes all of them after a test. */
export function parts() {
  const open: { close(): Promise<void> }[] = [];
  const log = memoryLogger();
  return {
    log,
    producer(settings: QueueSettings): FollowUpProducer {
      const producer = openProducer(settings, log.logger);
      open.push(producer);
      return producer;
    },
    async consumer(
      settings: QueueSettings,
      handle: (handled: WakeUp) => Promise<void> | void,
      concurrency = 1,
    ): Promise<FollowUpConsumer> {
      const consumer = await startConsumer(settings, async (handled) => handle(handled), concurrency, log.logger);
      open.push(consumer);
      return consumer;
    },
    async close(): Promise<void> {
      for (const part of open.reverse()) await part.close();
    },
  };
}
