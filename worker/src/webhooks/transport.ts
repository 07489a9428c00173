import type { webhookStore } from '@dune-tide/db/follow-ups';
import { codeOf } from '@dune-tide/platform/system-error';
import { Webhook } from 'standardwebhooks';
import type { FailureResult, Outcome, Transport } from '../delivery/transport.ts';
import { bodyOf } from './body.ts';
import { post, PostError, type PostOptions } from './post.ts';

export interface WebhookDependencies {
  /** The address of the receiver, as WEBHOOK_URL. */
  readonly url: string;
  /** One secret or two, as WEBHOOK_SECRET. Each of them signs. */
  readonly secrets: readonly string[];
  /** The origin of the site. */
  readonly publicUrl: string;
  readonly webhooks: Pick<ReturnType<typeof webhookStore>, 'eventOf'>;
  /** The certificate, the look-up and the time limit; those of the product by default. */
  readonly connecting?: Pick<PostOptions, 'ca' | 'resolve'> & { readonly limitMs?: number };
}

/** The time limit of an attempt, in seconds (docs/PRODUCT.md, "Webhooks"). */
const sendSeconds = 10;

/** Responses that a later attempt can change, besides 5xx (RFC 9110 §15.5.9, RFC 8470 §5.2, RFC 6585 §4). */
const temporaryStatuses = new Set([408, 425, 429]);

/**
 * Returns the transport that posts webhooks, signed as in the Standard Webhooks specification. The id of a webhook is
 * the id of its follow-up, so that a receiver can recognise a second copy.
 */
export function webhookTransport(dependencies: WebhookDependencies): Transport {
  const { secrets, publicUrl, webhooks, connecting = {} } = dependencies;
  const url = new URL(dependencies.url);
  const signers = secrets.map((secret) => new Webhook(secret));
  const limitMs = connecting.limitMs ?? sendSeconds * 1000;
  return {
    limits: { sendSeconds, prolongedSeconds: 0 },
    async send({ id }, lease) {
      const event = await webhooks.eventOf(id);
      const content = event && bodyOf(event, publicUrl);
      if (!content) return { result: 'permanent', serverResponse: 'The lead was erased', error: new ErasedLeadError() };
      const body = JSON.stringify(content);
      const now = new Date();
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'Dune-and-Tide-Webhooks',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': signers.map((signer) => signer.sign(id, now, body)).join(' '),
      };
      if ((await lease.holdsUntil()) < performance.now() + limitMs) {
        throw new LeaseExpiredError();
      }
      try {
        const { status, text } = await post(url, { ...connecting, headers, body, limitMs });
        return outcomeOf(status, text);
      } catch (error) {
        if (!(error instanceof PostError)) throw error;
        const serverResponse = codeOf(error.cause) ?? error.name;
        return { result: error.wasConnected ? 'temporary' : 'outage', serverResponse, error: error.cause };
      }
    },
  };
}

/** Thrown before anything is sent. The row has another worker, which this one must not disturb. */
class LeaseExpiredError extends Error {
  override readonly name = 'LeaseExpiredError';
}

/** Reported for a webhook that waited while its lead was erased. */
class ErasedLeadError extends Error {
  override readonly name = 'ErasedLeadError';
}

/** Reported for a response that does not accept a webhook. Its text is not logged. */
class RejectedWebhookError extends Error {
  override readonly name = 'RejectedWebhookError';

  constructor(status: number) {
    super(`The receiver responded with ${status}`);
  }
}

function outcomeOf(status: number, text: string): Outcome {
  const serverResponse = `${status} ${text}`.trim();
  if (status >= 200 && status < 300) return { result: 'sent', serverResponse };
  const result: FailureResult = status >= 500 || temporaryStatuses.has(status) ? 'temporary' : 'permanent';
  return { result, serverResponse, error: new RejectedWebhookError(status) };
}
