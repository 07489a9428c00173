import { brand, palette } from '@dune-tide/domain/brand';
import { string } from '@dune-tide/domain/responses/schema';
import { html, Html } from '@dune-tide/platform/html';
import type { Context } from './context.ts';
import { retryAfter } from './errors/problem-responses.ts';
import type { ResponseDescription, ResponseHeaders } from './response-description.ts';

export interface PlainPage {
  readonly heading: string;
  readonly text: string;
  /** Content after the text. */
  readonly body?: Html | undefined;
  /** The label of a button that posts to the page's own address. */
  readonly button?: string;
}

const style = new Html(`
  :root { color-scheme: light dark; }
  body { margin: 0; padding: 12vh 24px; background: ${palette.sand}; color: ${palette.night};
    font: 17px/1.6 'Helvetica Neue', Helvetica, Arial, sans-serif; }
  main { box-sizing: border-box; max-width: 38rem; margin: 0 auto; padding: 32px; background: ${palette.paper}; }
  h1 { margin: 0 0 16px; font-size: 30px; line-height: 1.2; text-wrap: balance; }
  p { overflow-wrap: anywhere; }
  form { margin: 24px 0; }
  main > :last-child { margin-bottom: 0; }
  button { padding: 14px 26px; border: 0; border-radius: 4px; background: ${palette.terracotta}; color: ${palette.paper};
    font: inherit; font-weight: 700; cursor: pointer; }
  a { color: ${palette.teal}; }
  a.button { display: inline-block; margin: 8px 0; padding: 12px 24px; border: 2px solid; border-radius: 4px;
    font-weight: 700; text-decoration: none; }
  dl { margin: 24px 0; border-top: 1px solid ${palette.sandDeep}; }
  dl > div { padding: 12px 0; border-bottom: 1px solid ${palette.sandDeep}; break-inside: avoid; }
  dt { color: ${palette.slate}; font-size: 14px; }
  dd { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; unicode-bidi: plaintext; text-align: left; }
  summary { color: ${palette.teal}; cursor: pointer; }
  dd[data-long] { text-align: start; }
  @media (max-width: 480px) { body { padding: 0; } main { padding: 28px 24px; min-height: 100vh; } }
  :focus-visible { outline: 3px solid ${palette.teal}; outline-offset: 3px; }
  @media (prefers-color-scheme: dark) {
    body { background: ${palette.night}; color: ${palette.paper}; }
    main { background: ${palette.nightSoft}; }
    button { background: ${palette.terracottaSoft}; color: ${palette.night}; }
    a { color: ${palette.tealSoft}; }
    :focus-visible { outline-color: ${palette.tealSoft}; }
    summary { color: ${palette.tealSoft}; }
    dl, dl > div { border-color: ${palette.slate}; }
    dt { color: ${palette.sandDeep}; }
  }
  @media print {
    :root { color-scheme: light; }
    body, main { padding: 0; background: #fff; color: #000; }
    dt, a { color: #000; }
    form, a.button, summary { display: none; }
    details::details-content { content-visibility: visible; block-size: auto; }
  }`);

/** Describes a page as a response. */
export function pageResponse(description: string, headers: ResponseHeaders = {}): ResponseDescription {
  return { description, mediaType: 'text/html', schema: string, headers };
}

/**
 * Describes the failures of a page behind a link.
 * @param unknown - why the link leads nowhere
 */
export function pageFailures(unknown: string) {
  return {
    404: pageResponse(`A page: ${unknown}.`),
    429: pageResponse('A page: too many requests from this address.', retryAfter),
    503: pageResponse('A page: the database is unavailable.', retryAfter),
  };
}

/**
 * Responds with a page without scripts. Headers keep it out of caches and search engines, and its address out of
 * referrers.
 */
export function sendPage(ctx: Context, status: number, { heading, text, body, button }: PlainPage): void {
  ctx.status = status;
  ctx.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex, nofollow' });
  ctx.type = 'html';
  ctx.body = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex, nofollow" />
        <title>${heading} – ${brand.name}</title>
        <style>
          ${style}
        </style>
      </head>
      <body>
        <main>
          <h1>${heading}</h1>
          <p>${text}</p>
          ${button !== undefined && html`<form method="post"><button type="submit">${button}</button></form>`} ${body}
          <p>
            Questions? Write to <a href="mailto:${brand.email}">${brand.email}</a>.<br />
            <a href="/">${brand.name}</a>
          </p>
        </main>
      </body>
    </html>`.source;
}
