import type { ClaimedFollowUp, webhookStore } from '@dune-tide/db/follow-ups';
import { describeError } from '@dune-tide/platform/log';
import { levelDuring } from '@dune-tide/platform/outage';
import { leaseSecondsOf, sendClaimed, type SendDependencies } from '../delivery/deliver.ts';
import type { Transport } from '../delivery/transport.ts';
import { every, rest } from '../delivery/every.ts';

export interface SendWebhooksDependencies extends SendDependencies {
  readonly webhooks: Pick<ReturnType<typeof webhookStore>, 'claimDue' | 'wakeNext'>;
  readonly transport: Transport;
  /** Aborted when the worker closes. */
  readonly closing: AbortSignal;
}

/** Webhooks that a worker sends concurrently, besides the emails. */
const concurrency = 5;
const intervalMs = 1_000;

/**
 * Sends webhooks until `closing` is aborted. They have no jobs and no connection in common with emails, so a slow
 * receiver delays no email. While the receiver is unavailable, one webhook at a time tries whether it is back.
 * @returns a promise that resolves after the last webhook was settled
 */
export async function startSendingWebhooks(dependencies: SendWebhooksDependencies): Promise<void> {
  const { webhooks, transport, logger, databaseOutage, closing } = dependencies;
  const leaseSeconds = leaseSecondsOf(transport);
  const running = new Map<string, Promise<void>>();

  const send = async (followUp: ClaimedFollowUp, claimedAt: number): Promise<void> => {
    try {
      const result = await sendClaimed({ transport, followUp, claimedAt, leaseSeconds }, dependencies);
      if (result === 'sent' || result === 'permanent') await webhooks.wakeNext(followUp.id);
    } catch (error) {
      logger[levelDuring(databaseOutage)](
        { followUpId: followUp.id, error: describeError(error) },
        'webhook not settled, or the next one of its lead not woken',
      );
    } finally {
      running.delete(followUp.id);
    }
  };

  const sendDue = async (isAfterOutage: boolean): Promise<number> => {
    const pass = await transport.outage?.enter();
    if (closing.aborted) return 0;
    const free = pass === 'trial' ? 1 : concurrency - running.size;
    const claimedAt = performance.now();
    const inProgress = new Set(running.keys());
    const { found, claimed } = await webhooks.claimDue(free, leaseSeconds, inProgress, !isAfterOutage);
    for (const followUp of claimed) running.set(followUp.id, send(followUp, claimedAt));
    if (running.size >= concurrency || (pass === 'trial' && running.size > 0)) await Promise.race(running.values());
    // A webhook that ends may make the next one of its lead due.
    if (found === 0) await Promise.race([rest(intervalMs, closing), ...running.values()]);
    return 0;
  };

  await every({
    task: sendDue,
    failure: 'webhooks not claimed',
    retryMs: intervalMs,
    outage: databaseOutage,
    logger,
    closing,
  });
  await Promise.all(running.values());
}
