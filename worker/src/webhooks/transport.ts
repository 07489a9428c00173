import type { webhookStore } from '@dune-tide/db/follow-ups';
import { askedToWait } from '@dune-tide/domain/webhooks';
import type { Outage } from '@dune-tide/platform/outage';
import { codeOf } from '@dune-tide/platform/system-error';
import { Webhook } from 'standardwebhooks';
import type { Outcome, Transport } from '../delivery/transport.ts';
import { bodyOf } from './body.ts';
import { post, PostError, type PostOptions, type PostResponse } from './post.ts';

export interface WebhookDependencies {
  /** The address of the receiver, as WEBHOOK_URL. */
  readonly url: string;
  /** One secret or two, as WEBHOOK_SECRET. Each of them signs. */
  readonly secrets: readonly string[];
  /** The origin of the site. */
  readonly publicUrl: string;
  readonly webhooks: Pick<ReturnType<typeof webhookStore>, 'eventOf'>;
  /** The state of the receiver; undefined if it is always tried. */
  readonly outage?: Outage | undefined;
  /** The certificate, the look-up and the time limit; those of the product by default. */
  readonly connecting?: Pick<PostOptions, 'ca' | 'resolve'> & { readonly limitMs?: number };
}

/** The time limit of an attempt, in seconds (docs/PRODUCT.md, "Webhooks"). */
const sendSeconds = 10;

/** Responses that a later attempt can change, besides 5xx (RFC 9110 §15.5.9, RFC 8470 §5.2, RFC 6585 §4). */
const temporaryStatuses = new Set([408, 425, 429]);

/**
 * Responses of a receiver that is unavailable, or of a gateway before it. Such an attempt counts, because the receiver
 * may fail on this webhook only, but others wait until one is answered.
 */
const unavailableStatuses = new Set([502, 503, 504]);

/**
 * Returns the transport that posts webhooks, signed as in the Standard Webhooks specification. The id of a webhook is
 * the id of its follow-up, so that a receiver can recognise a second copy.
 */
export function webhookTransport(dependencies: WebhookDependencies): Transport {
  const { secrets, publicUrl, webhooks, outage, connecting = {} } = dependencies;
  const url = new URL(dependencies.url);
  const signers = secrets.map((secret) => new Webhook(secret));
  const limitMs = connecting.limitMs ?? sendSeconds * 1000;
  return {
    limits: { sendSeconds, prolongedSeconds: 0 },
    outage,
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
      const since = performance.now();
      try {
        const response = await post(url, { ...connecting, headers, body, limitMs });
        const outcome = outcomeOf(response);
        if (unavailableStatuses.has(response.status)) outage?.failed(outcome.error, since);
        else outage?.worked();
        return outcome;
      } catch (error) {
        if (!(error instanceof PostError)) throw error;
        outage?.failed(error, since);
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
  readonly code: string;

  constructor(status: number) {
    super(`The receiver responded with ${status}`);
    this.code = `HTTP ${status}`;
  }
}

function outcomeOf(response: PostResponse): Outcome {
  const { status, text } = response;
  const serverResponse = `${status} ${text}`.trim();
  if (status >= 200 && status < 300) return { result: 'sent', serverResponse };
  const error = new RejectedWebhookError(status);
  if (status < 500 && !temporaryStatuses.has(status)) return { result: 'permanent', serverResponse, error };
  const waitSeconds = waitSecondsOf(response);
  if (waitSeconds === 0) return { result: 'temporary', serverResponse, error };
  const note = askedToWait(new Date(Date.now() + waitSeconds * 1000));
  return { result: 'temporary', serverResponse: `${status} (${note}) ${text}`.trim(), error, waitSeconds };
}

/** The longest time for which a receiver can ask to wait, in seconds. */
const longestWaitSeconds = 24 * 60 * 60;

/**
 * Returns for how long a receiver asks to wait (RFC 9110 §10.2.3), in seconds; 0 if it does not. A date is compared with
 * the receiver's own clock if the response has its time.
 */
function waitSecondsOf({ retryAfter = '', date = '' }: PostResponse): number {
  const isSeconds = /^\d+$/.test(retryAfter);
  // Otherwise `Date.parse` would read the obsolete form without a zone as local time.
  const until = Date.parse(/GMT$/i.test(retryAfter) ? retryAfter : `${retryAfter} GMT`);
  const seconds = isSeconds ? Number(retryAfter) : (until - (Date.parse(date) || Date.now())) / 1000;
  return Number.isNaN(seconds) ? 0 : Math.max(0, Math.min(longestWaitSeconds, Math.ceil(seconds)));
}
