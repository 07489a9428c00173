import type { ClaimedFollowUp, webhookStore } from '@dune-tide/db/follow-ups';
import { describeError } from '@dune-tide/platform/log';
import { leaseSecondsOf, sendClaimed, type SendDependencies } from '../delivery/deliver.ts';
import { outageDelaySeconds } from '../delivery/retry-delay.ts';
import type { Transport } from '../delivery/transport.ts';
import { every, rest } from '../delivery/every.ts';

export interface SendWebhooksDependencies extends SendDependencies {
  readonly webhooks: Pick<ReturnType<typeof webhookStore>, 'claimDue' | 'wakeNext'>;
  readonly transport: Transport;
  /** Returns the pause after the receiver could not be reached, in seconds; by default, the delay of an outage. */
  readonly pauseSeconds?: () => number;
  /** Aborted when the worker closes. */
  readonly closing: AbortSignal;
}

/** Webhooks that a worker sends concurrently, besides the emails. */
const concurrency = 5;
const intervalMs = 1_000;

/**
 * Sends webhooks until `closing` is aborted. They have no jobs and no connection in common with emails, so a slow
 * receiver delays no email. While the receiver cannot be reached, one webhook at a time tries whether it is back.
 * @returns a promise that resolves after the last webhook was settled
 */
export async function startSendingWebhooks(dependencies: SendWebhooksDependencies): Promise<void> {
  const { webhooks, followUps, transport, logger, closing, pauseSeconds = outageDelaySeconds } = dependencies;
  const leaseSeconds = leaseSecondsOf(transport);
  const running = new Map<string, Promise<void>>();
  let isOut = false;

  const send = async (followUp: ClaimedFollowUp, claimedAt: number): Promise<void> => {
    try {
      const result = await sendClaimed({ transport, followUp, claimedAt, leaseSeconds }, dependencies);
      isOut = result === 'outage';
      if (result === 'sent' || result === 'permanent') await webhooks.wakeNext(followUp.id);
    } catch (error) {
      logger.warn(
        { followUpId: followUp.id, error: describeError(error) },
        'webhook not settled, or the next one of its lead not woken',
      );
    } finally {
      running.delete(followUp.id);
    }
  };

  const sendDue = async (): Promise<number> => {
    const free = isOut ? 1 : concurrency - running.size;
    const claimedAt = performance.now();
    const { found, claimed } = await webhooks.claimDue(free, leaseSeconds, new Set(running.keys()));
    for (const followUp of claimed) running.set(followUp.id, send(followUp, claimedAt));
    if (running.size >= concurrency || (isOut && running.size > 0)) await Promise.race(running.values());
    if (isOut) return pauseSeconds() * 1000;
    // A webhook that ends may make the next one of its lead due.
    if (found === 0) await Promise.race([rest(intervalMs, closing), ...running.values()]);
    return 0;
  };

  await every({
    task: sendDue,
    failure: 'webhooks not claimed',
    retryMs: intervalMs,
    check: () => followUps.check(),
    logger,
    closing,
  });
  await Promise.all(running.values());
}
