import { randomUUID } from 'node:crypto';
import { personalData, receipts, type Receipt } from '@dune-tide/db/personal-data';
import { brand } from '@dune-tide/domain/brand';
import { leadDefinitions, valuesOf } from '@dune-tide/domain/leads';
import { receiptFields } from '@dune-tide/domain/leads/definition';
import { receiptLimit } from '@dune-tide/domain/limits';
import { foldedLines } from '@dune-tide/domain/shown-lines';
import { html, Html } from '@dune-tide/platform/html';
import { receiptPath } from '@dune-tide/platform/id-tokens';
import type { Context } from '../http/context.ts';
import { pageFailures, pageResponse, sendPage } from '../http/plain-page.ts';
import { route, type Route } from '../http/route.ts';
import { limitPage } from '../rate-limits/page-limit.ts';
import type { Services } from '../services.ts';

type ReceiptServices = Pick<Services, 'database' | 'receiptTokens' | 'removeJobs' | 'networksOf' | 'rateLimits'>;

const path = `${receiptPath}/:token` as const;
const failures = pageFailures('the link is unknown or has expired, or the lead was erased');

/**
 * Declares the pages behind the link of acknowledgements, which work without scripts (docs/PRODUCT.md, "Receipt page").
 * Only the POST changes something, because mail scanners follow links. Unknown, expired and used links get the same
 * response after the same look-up.
 */
export function receiptRoutes(services: ReceiptServices): Route[] {
  const { database, receiptTokens, removeJobs } = services;
  const found = receipts(database);
  const people = personalData(database);
  const idOf = (token: string) => receiptTokens.read(token);
  const limit = limitPage('receipt', receiptLimit, services, idOf);
  /** A token that no key has signed is looked up as well, so that it takes as long as one that has expired. */
  const receiptOf = (token: string): Promise<Receipt | undefined> =>
    found.of(receiptTokens.read(token) ?? randomUUID());

  return [
    route(
      { method: 'GET', path, access: 'link' },
      {
        summary: 'Returns the page that shows a visitor what they sent',
        limit,
        responses: {
          200: pageResponse('A page with the answers, the time and whether they are answered.'),
          ...failures,
        },
        async handle(ctx, { params: { token } }) {
          const receipt = await receiptOf(token);
          if (!receipt) return sendUnknown(ctx);
          sendPage(ctx, 200, {
            heading: 'What you sent us',
            text: `${leadDefinitions[receipt.lead.kind].labels.sentence} of ${format(receipt.lead.createdAt)}. ${stateOf(receipt)}`,
            body: contentOf(receipt, `${receiptPath}/${token}/withdraw`),
          });
        },
      },
    ),
    route(
      { method: 'GET', path: `${path}/withdraw`, access: 'link' },
      {
        summary: 'Returns the page that asks before a lead is withdrawn',
        limit,
        responses: { 200: pageResponse('A page with a button that sends the POST.'), ...failures },
        async handle(ctx, { params: { token } }) {
          if (!(await receiptOf(token))) return sendUnknown(ctx);
          sendPage(ctx, 200, {
            heading: 'Withdraw and delete?',
            text: `We delete what you sent and everything that belongs to it, and will not answer it. This cannot be undone. Emails that were already sent stay in the inboxes that received them.`,
            button: 'Withdraw and delete',
            body: html`<p><a href="${receiptPath}/${token}">Keep it</a></p>`,
          });
        },
      },
    ),
    route(
      { method: 'POST', path: `${path}/withdraw`, access: 'link' },
      {
        summary: 'Erases a lead for its visitor',
        description: 'The body is ignored, and any origin is accepted: the token authorises the request.',
        limit: limitPage('receipt-post', receiptLimit, services, idOf),
        responses: { 200: pageResponse('A page: the lead is erased.'), ...failures },
        async handle(ctx, { params: { token } }) {
          const receipt = await receiptOf(token);
          const outcome = receipt && (await people.eraseLead(receipt.lead.id));
          if (!outcome) return sendUnknown(ctx);
          await removeJobs(outcome.followUpIds);
          sendPage(ctx, 200, {
            heading: 'Withdrawn and deleted',
            text: `What you sent is deleted. To have everything deleted that ${brand.name} holds about you, write to us.`,
          });
        },
      },
    ),
  ];
}

function stateOf({ lead, isAnswered }: Receipt): string {
  if (leadDefinitions[lead.kind].firstEmail === 'portfolio_pdf') return 'We answered it with our portfolio.';
  return isAnswered ? 'We have answered it.' : 'We have not answered it yet.';
}

/** A text with more characters is aligned by its own direction. */
const longFrom = 80;

function contentOf({ lead }: Receipt, withdrawAddress: string): Html {
  return html`<dl>
      ${receiptFields(leadDefinitions[lead.kind], valuesOf(lead)).map(
        ({ label, text }) =>
          html`<div>
            <dt>${label}</dt>
            <dd${Array.from(text).length > longFrom && new Html(' data-long')}>${folded(text)}</dd>
          </div>`,
      )}
    </dl>
    <p><a class="button" href="${withdrawAddress}">Withdraw and delete</a></p>
    <p><a href="/privacy">Privacy notice</a></p>`;
}

/** A long text is folded as in the staff area, without scripts. */
function folded(text: string): Html {
  const { first, rest, count } = foldedLines(text);
  if (rest === '') return html`${first}`;
  return html`${first}
    <details>
      <summary>Show all ${count} lines</summary>
      ${rest}
    </details>`;
}

function format(time: Date): string {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone: brand.timeZone,
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(time);
}

function sendUnknown(ctx: Context): void {
  sendPage(ctx, 404, {
    heading: 'This link is not valid',
    text: 'It may be incomplete or older than 90 days, or what you sent may have been deleted. Write to us, and we will help.',
  });
}
