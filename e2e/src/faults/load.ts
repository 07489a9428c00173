import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { LeadKind } from '@dune-tide/domain/leads';
import { postLead } from '@dune-tide/testkit/post-lead';
import type { LeadBody, Ledger } from './ledger.ts';

/** One visitor's form, posted from its own address. */
interface Visit {
  readonly kind: LeadKind;
  readonly form: string;
  readonly body: LeadBody;
}

function visitOf(visitor: number): Visit {
  const email = `visitor-${visitor}@example.com`;
  if (visitor % 2 === 0) {
    return { kind: 'portfolio_request', form: 'portfolio-lead', body: { email, source: 'portfolio_view' } };
  }
  const message = `We would like to talk about short films for our dates; we are visitor ${visitor}.`;
  return {
    kind: 'contact',
    form: 'contact',
    body: { firstName: 'Noura', lastName: 'al-Harbi', email, service: 'ugc', message },
  };
}

export interface LoadOptions {
  /** Addresses of the APIs. A visitor without a response tries the next one. */
  readonly urls: readonly string[];
  /** Maximum number of visitors. */
  readonly requests: number;
  /** Number of the first visitor, so that visitors of several loads have different email addresses. Default: 0. */
  readonly first?: number;
  readonly atOnce?: number;
  /** Milliseconds between the starts of two groups of concurrent visitors. */
  readonly pause?: number;
  /** Number of requests per key of visitors who retry; the others stop after the first. */
  readonly attempts?: number;
}

/** Visitors who submit forms. */
export interface Load {
  /** Counts the visitors who got a 201. */
  taken(): number;
  /** Starts no further visitors. */
  stop(): void;
  /** Resolves when the last visitor has finished. */
  readonly done: Promise<void>;
}

/**
 * Starts visitors. Half of them retry with the same Idempotency-Key until they get a 201; the others stop after the
 * first failure. Each request is recorded in the ledger before it is sent.
 */
export function startLoad(
  ledger: Ledger,
  { urls, requests, first = 0, atOnce = 8, pause: between = 0, attempts = 40 }: LoadOptions,
): Load {
  const end = first + requests;
  let next = first;
  let taken = 0;

  const visit = async (visitor: number): Promise<void> => {
    const { kind, form, body } = visitOf(visitor);
    const key = randomUUID();
    // In pairs, so that visitors of both kinds submit both forms.
    const triesAgain = Math.floor(visitor / 2) % 2 === 0;
    for (let attempt = 1; attempt <= (triesAgain ? attempts : 1); attempt++) {
      ledger.asks({ at: new Date().toISOString(), key, kind, body, attempt });
      const started = performance.now();
      const url = urls[(visitor + attempt) % urls.length] ?? '';
      const { status, id } = await postLead(url, form, body, { 'Idempotency-Key': key });
      const seconds = (performance.now() - started) / 1000;
      ledger.hears({
        key,
        attempt,
        seconds,
        ...(status === undefined ? {} : { status }),
        ...(id === undefined ? {} : { id }),
      });
      if (status === 201) {
        taken++;
        return;
      }
      await pause(250);
    }
  };
  const run = async (): Promise<void> => {
    while (next < end) {
      await visit(next++);
      // Visitors of a group start together, so that leads are also stored in batches.
      if (between > 0) await pause(between - (performance.now() % between));
    }
  };
  return {
    taken: () => taken,
    stop: () => void (next = end),
    done: Promise.all(Array.from({ length: atOnce }, run)).then(() => undefined),
  };
}
