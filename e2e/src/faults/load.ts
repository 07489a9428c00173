import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { LeadKind } from '@dune-tide/domain/leads';
import { postLead } from '@dune-tide/testkit/post-lead';
import type { LeadBody, Ledger } from './ledger.ts';

/** What a visitor posts, each from an address of its own. */
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
  /** Where the API is; a visitor who got no answer turns to the next. */
  readonly urls: readonly string[];
  /** Visitors at most. */
  readonly requests: number;
  readonly atOnce?: number;
  /** Milliseconds from one moment to the next at which those come. */
  readonly pause?: number;
  /** Requests with one key of those who try again; the others give up after their first. */
  readonly attempts?: number;
}

/** Visitors who fill forms in. */
export interface Load {
  /** How many visitors have their 201 by now. */
  taken(): number;
  /** Lets no more visitors come. */
  stop(): void;
  /** Resolves when the last visitor has gone. */
  readonly done: Promise<void>;
}

/**
 * Lets visitors come: half of them try again with the same Idempotency-Key until they get a 201, half give up at the
 * first failure. Each request stands in the ledger before it is sent.
 */
export function startLoad(
  ledger: Ledger,
  { urls, requests, atOnce = 8, pause: between = 0, attempts = 40 }: LoadOptions,
): Load {
  let next = 0;
  let taken = 0;

  const visit = async (visitor: number): Promise<void> => {
    const { kind, form, body } = visitOf(visitor);
    const key = randomUUID();
    // Pairs, so that both sorts of visitor send both forms.
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
    while (next < requests) {
      await visit(next++);
      // All at the same moment, so that leads are also written in batches.
      if (between > 0) await pause(between - (performance.now() % between));
    }
  };
  return {
    taken: () => taken,
    stop: () => void (next = requests),
    done: Promise.all(Array.from({ length: atOnce }, run)).then(() => undefined),
  };
}
