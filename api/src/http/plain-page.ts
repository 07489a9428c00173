import { brand, palette } from '@dune-tide/domain/brand';
import { html, Html } from '@dune-tide/platform/html';
import type { Context } from '../http/context.ts';

export interface PlainPage {
  readonly heading: string;
  readonly text: string;
  /** The label of a button that posts to the page's own address. */
  readonly button?: string;
}

const style = new Html(`
  :root { color-scheme: light dark; }
  body { margin: 0; padding: 12vh 24px; background: ${palette.sand}; color: ${palette.night};
    font: 17px/1.6 'Helvetica Neue', Helvetica, Arial, sans-serif; }
  main { max-width: 34rem; margin: 0 auto; padding: 32px; background: ${palette.paper}; }
  h1 { margin: 0 0 16px; font-size: 30px; line-height: 1.2; text-wrap: balance; }
  form { margin: 24px 0; }
  main > :last-child { margin-bottom: 0; }
  button { padding: 14px 26px; border: 0; border-radius: 4px; background: ${palette.terracotta}; color: ${palette.paper};
    font: inherit; font-weight: 700; cursor: pointer; }
  a { color: ${palette.teal}; }
  :focus-visible { outline: 3px solid ${palette.teal}; outline-offset: 3px; }
  @media (prefers-color-scheme: dark) {
    body { background: ${palette.night}; color: ${palette.paper}; }
    main { background: ${palette.nightSoft}; }
    button { background: ${palette.terracottaSoft}; color: ${palette.night}; }
    a { color: ${palette.tealSoft}; }
    :focus-visible { outline-color: ${palette.tealSoft}; }
  }`);

/**
 * Responds with a page without scripts. Headers keep it out of caches and search engines, and its address out of
 * referrers.
 */
export function answerPage(ctx: Context, status: number, { heading, text, button }: PlainPage): void {
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
          ${button !== undefined && html`<form method="post"><button type="submit">${button}</button></form>`}
          <p>
            Questions? Write to <a href="mailto:${brand.email}">${brand.email}</a>.<br />
            <a href="/">${brand.name}</a>
          </p>
        </main>
      </body>
    </html>`.source;
}
