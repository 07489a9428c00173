import { randomUUID } from 'node:crypto';
import { personalData, receipts, type Receipt } from '@dune-tide/db/personal-data';
import { brand } from '@dune-tide/domain/brand';
import { leadKindLabels } from '@dune-tide/domain/lead-labels';
import { receiptLimit } from '@dune-tide/domain/limits';
import { html, Html } from '@dune-tide/platform/html';
import { receiptPath, type ReceiptTokens } from '@dune-tide/platform/receipt-tokens';
import type { Knex } from 'knex';
import type { Context, Router } from '../http/context.ts';
import { answerPage } from '../http/plain-page.ts';
import type { ClientNetworksOf } from '../http/server/client-networks.ts';
import type { JobRemoval } from '../people/remove-jobs.ts';
import { limitPage } from '../rate-limits/page-limit.ts';
import type { RateLimitStore } from '../rate-limits/rate-limit-store.ts';
import { answersOf } from './answers.ts';

export interface ReceiptRoutesDependencies {
  readonly database: Knex;
  readonly tokens: ReceiptTokens;
  readonly removeJobs: JobRemoval;
  readonly networksOf: ClientNetworksOf;
  readonly rateLimits: RateLimitStore;
  /** The time zone of the times on the page. */
  readonly timeZone: string;
}

/**
 * Registers the pages behind the link of acknowledgements, which work without scripts (docs/PRODUCT.md, "Receipt page").
 * Only the POST changes something, because mail scanners follow links. Unknown, expired and used links get the same
 * response after the same look-up.
 */
export function receiptRoutes(router: Router, dependencies: ReceiptRoutesDependencies): void {
  const { database, tokens, removeJobs, networksOf, rateLimits, timeZone } = dependencies;
  const found = receipts(database);
  const people = personalData(database);
  const limit = limitPage('receipt', receiptLimit, networksOf, rateLimits);
  const path = `${receiptPath}/:token`;
  const tokenOf = (ctx: Context): string => String(ctx['params'].token);
  /** A token that no key has signed is looked up as well, so that it takes as long as one that has expired. */
  const receiptOf = (ctx: Context): Promise<Receipt | undefined> => found.of(tokens.read(tokenOf(ctx)) ?? randomUUID());

  router.get(path, limit, async (ctx) => {
    const receipt = await receiptOf(ctx);
    if (!receipt) return answerUnknown(ctx);
    answerPage(ctx, 200, {
      heading: 'What you sent us',
      text: `${leadKindLabels[receipt.lead.kind]} of ${format(receipt.lead.createdAt, timeZone)}. ${stateOf(receipt)}`,
      body: contentOf(receipt, `${receiptPath}/${tokenOf(ctx)}/withdraw`),
    });
  });

  router.get(`${path}/withdraw`, limit, async (ctx) => {
    if (!(await receiptOf(ctx))) return answerUnknown(ctx);
    answerPage(ctx, 200, {
      heading: 'Withdraw and delete?',
      text: `We delete what you sent and everything that belongs to it, and will not answer it. This cannot be undone. Emails that were already sent stay in the inboxes that received them.`,
      button: 'Withdraw and delete',
      body: html`<p><a href="${receiptPath}/${tokenOf(ctx)}">Keep it</a></p>`,
    });
  });

  router.post(`${path}/withdraw`, limit, async (ctx) => {
    const receipt = await receiptOf(ctx);
    const outcome = receipt && (await people.eraseLead(receipt.lead.id));
    if (!outcome) return answerUnknown(ctx);
    await removeJobs(outcome.followUpIds);
    answerPage(ctx, 200, {
      heading: 'Withdrawn and deleted',
      text: `What you sent is deleted. To have everything deleted that ${brand.name} holds about you, write to us.`,
    });
  });
}

function stateOf({ lead, isAnswered }: Receipt): string {
  if (lead.kind === 'portfolio_request') return 'We answered it with our portfolio.';
  return isAnswered ? 'We have answered it.' : 'We have not answered it yet.';
}

/** A text with more characters is aligned by its own direction. */
const longFrom = 80;

function contentOf({ lead }: Receipt, withdrawAddress: string): Html {
  return html`<dl>
      ${answersOf(lead).map(
        ({ label, text }) =>
          html`<div>
            <dt>${label}</dt>
            <dd${Array.from(text).length > longFrom && new Html(' data-long')}>${text}</dd>
          </div>`,
      )}
    </dl>
    <p><a class="button" href="${withdrawAddress}">Withdraw and delete</a></p>
    <p><a href="/privacy">Privacy notice</a></p>`;
}

function format(time: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(time);
}

function answerUnknown(ctx: Context): void {
  answerPage(ctx, 404, {
    heading: 'This link is not valid',
    text: 'It may be incomplete or older than 90 days, or what you sent may have been deleted. Write to us, and we will help.',
  });
}
