import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { requiredFollowUps, type LeadKind } from '@dune-tide/domain/leads';
import { postLead } from '@dune-tide/testkit/post-lead';
import { until } from '@dune-tide/testkit/until';
import { openLedger, type LeadBody } from '../faults/ledger.ts';
import { startLoad } from '../faults/load.ts';
import { takesIn } from '../faults/under-load.ts';
import { readInbox } from './inbox.ts';

/** Visitors who send forms while containers are replaced, and the emails that must follow. */
export interface Visitors {
  /** Sends one form. @throws if the response is not 201 */
  post(kind: LeadKind, form: string, body: LeadBody): Promise<void>;
  /**
   * Lets visitors send forms while work is done.
   * @returns the number of requests, all of which returned 201
   * @throws if any request did not return 201
   */
  during(work: () => Promise<void>): Promise<number>;
  /** @returns the number of contact messages that were acknowledged with a 201 */
  contactMessages(): number;
  /**
   * Waits until every email of the leads sent so far has arrived.
   * @param mostDoubles - the maximum number of emails that may have arrived twice
   * @returns what has arrived
   * @throws if an email is missing after the lease of a killed worker, or if one arrived too often
   */
  emailed(mostDoubles: number): Promise<string>;
}

/** The pause between two requests of a probe. */
const probeMs = 100;

/**
 * Requests the state of the site again and again while work is done, and until it is ready again.
 * @returns the longest time without an answer that it is ready, in seconds
 */
export async function longestOutage(site: string, work: () => Promise<void>): Promise<number> {
  let [longest, lastReady, isDone] = [0, performance.now(), false];
  const probe = async (): Promise<void> => {
    for (;;) {
      const isReady = await fetch(`${site}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isReady) {
        longest = Math.max(longest, performance.now() - lastReady);
        lastReady = performance.now();
        if (isDone) return;
      }
      await pause(probeMs);
    }
  };
  const probing = probe();
  try {
    await work();
  } finally {
    isDone = true;
  }
  await until('the site is ready', () => probing.then(() => true));
  return longest / 1000;
}

/** The lease of a killed worker, which holds some emails, expires after three minutes. */
const emailSeconds = 300;
/** Together 20 forms a second. */
const visitorsAtOnce = 4;
const pauseMs = 200;

/**
 * @param folder - receives the record of all requests
 * @param site - the address of the front
 * @param inbox - the address of the inbox
 */
export function openVisitors(folder: string, site: string, inbox: string, staffEmail: string): Visitors {
  const ledger = openLedger(join(folder, 'ledger.jsonl'));
  return {
    async post(kind, form, body) {
      const key = randomUUID();
      ledger.asks({ at: new Date().toISOString(), key, kind, body, attempt: 1 });
      const started = performance.now();
      const { status } = await postLead(site, form, body, { 'Idempotency-Key': key });
      const seconds = (performance.now() - started) / 1000;
      ledger.hears({ key, attempt: 1, seconds, ...(status === undefined ? {} : { status }) });
      if (status !== 201) throw new Error(`The API returned ${status ?? 'no response'}`);
    },
    async during(work) {
      const { asked, responded: earlier } = ledger.read();
      const before = earlier.length;
      const load = startLoad(ledger, {
        urls: [site],
        requests: Infinity,
        first: asked.length,
        atOnce: visitorsAtOnce,
        pause: pauseMs,
      });
      try {
        await takesIn(load, 20);
        await work();
        await takesIn(load, 20);
      } finally {
        load.stop();
        await load.done;
      }
      const responded = ledger.read().responded.slice(before);
      const failed = responded.filter(({ status }) => status !== 201);
      if (failed.length > 0) {
        const kinds = [...new Set(failed.map(({ status }) => status ?? 'no response'))];
        throw new Error(`${failed.length} of ${responded.length} requests did not return 201: ${kinds.join(', ')}`);
      }
      return responded.length;
    },
    contactMessages() {
      const { asked, responded } = ledger.read();
      const created = new Set(responded.flatMap(({ key, status }) => (status === 201 ? [key] : [])));
      return asked.filter(({ key, kind }) => kind === 'contact' && created.delete(key)).length;
    },
    async emailed(mostDoubles) {
      const { asked } = ledger.read();
      const expected = asked
        .flatMap(({ kind, body }) => requiredFollowUps({ kind, email: body.email }, staffEmail))
        .map(({ recipient }) => recipient)
        .toSorted();
      const copies = await until(
        `${expected.length} emails have arrived`,
        async () => {
          const found = new Map<string, { to: string; count: number }>();
          for (const { messageId, to } of await readInbox(inbox)) {
            found.set(messageId, { to, count: (found.get(messageId)?.count ?? 0) + 1 });
          }
          return found.size >= expected.length && found;
        },
        emailSeconds,
        1_000,
      );
      const arrived = [...copies.values()].map(({ to }) => to).toSorted();
      if (arrived.join() !== expected.join()) {
        throw new Error(`${arrived.length} emails instead of ${expected.length}, or to other recipients`);
      }
      const doubles = [...copies.values()].filter(({ count }) => count > 1).length;
      if (doubles > mostDoubles) throw new Error(`${doubles} of ${expected.length} emails arrived more than once`);
      return `${expected.length} of ${expected.length} emails have arrived, ${doubles} of them twice`;
    },
  };
}
