import type { ClaimedFollowUp, webhookStore } from '@dune-tide/db/follow-ups';
import { describeError } from '@dune-tide/platform/log';
import { leaseSecondsOf, sendClaimed, settleRetryMs, type SendDependencies } from '../delivery/deliver.ts';
import { outageDelaySeconds } from '../delivery/retry-delay.ts';
import { rest } from '../delivery/sweep.ts';
import type { Transport } from '../delivery/transport.ts';

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
/** After an outage of the database, the time for workers to write their outcomes before webhooks are claimed again. */
const afterOutageMs = 3 * settleRetryMs;

/**
 * Sends webhooks until `closing` is aborted. They have no jobs and no connection in common with emails, so a slow
 * receiver delays no email. While the receiver cannot be reached, one webhook at a time tries whether it is back.
 * @returns `ended`, which resolves after the last webhook was settled
 */
export function startSendingWebhooks(dependencies: SendWebhooksDependencies): { readonly ended: Promise<void> } {
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

  /** @returns the milliseconds after which the next webhooks are claimed, if none has ended before */
  const sendDue = async (): Promise<number> => {
    const free = isOut ? 1 : concurrency - running.size;
    const claimedAt = performance.now();
    const { found, claimed } = await webhooks.claimDue(free, leaseSeconds, new Set(running.keys()));
    for (const followUp of claimed) running.set(followUp.id, send(followUp, claimedAt));
    if (running.size >= concurrency || (isOut && running.size > 0)) await Promise.race(running.values());
    return found === 0 ? intervalMs : 0;
  };

  const run = async (): Promise<void> => {
    let hasFailed = false;
    while (!closing.aborted) {
      try {
        if (hasFailed) {
          await followUps.check();
          await rest(afterOutageMs, closing);
        }
        const pauseMs = await sendDue();
        hasFailed = false;
        if (isOut) await rest(pauseSeconds() * 1000, closing);
        else if (pauseMs > 0) await Promise.race([rest(pauseMs, closing), ...running.values()]);
      } catch (error) {
        hasFailed = true;
        logger.warn({ error: describeError(error) }, 'webhooks not claimed');
        await rest(intervalMs, closing);
      }
    }
    await Promise.all(running.values());
  };
  return { ended: run() };
}
