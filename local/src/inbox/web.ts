import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { describeError, type Logger } from '@dune-tide/platform/log';
import Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import Koa from 'koa';
import helmet from 'koa-helmet';
import type { MailPage, MailStore } from './mail-store.ts';
import type { MailAttachment, MailContent, MailSummary } from './mail.ts';
import { icon } from './icons.ts';
import { listScript } from './list-script.ts';
import { listPane, notFoundPage, readingPage, startPage } from './pages.ts';
import type { View } from './pages.ts';
import { stylesheet } from './stylesheet.ts';

interface InboxAppDependencies {
  readonly store: MailStore;
  readonly smtpUrl: string;
  /** The name or address that the server listens on. */
  readonly host: string;
  readonly logger: Logger;
}

const mailsPerPage = 50;

/** A mail's own markup: no script, nothing loaded from elsewhere, links in a new tab. */
const mailPolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  'font-src data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-popups allow-popups-to-escape-sandbox',
].join('; ');

/** What a browser may show; everything else is only ever saved. */
const shownTypes = new Map([
  ['application/pdf', 'application/pdf'],
  ['image/png', 'image/png'],
  ['image/jpeg', 'image/jpeg'],
  ['image/gif', 'image/gif'],
  ['image/webp', 'image/webp'],
  ['text/plain', 'text/plain; charset=utf-8'],
]);

const imageTypes = /^image\/(png|jpeg|gif|webp|svg\+xml)$/;

/**
 * Builds the inbox's pages and its JSON.
 *
 * @returns the app, not yet listening
 */
export function createInboxApp({ store, smtpUrl, host, logger }: InboxAppDependencies): Koa {
  const app = new Koa();
  const router = new Router();

  const view = (page: MailPage, selected?: MailSummary): View => ({
    smtpUrl,
    revision: store.revision,
    page,
    pageSize: mailsPerPage,
    selected,
  });
  const pageNumbered = (number: number) => {
    const last = Math.max(1, Math.ceil(store.total / mailsPerPage));
    return store.list((Math.min(number, last) - 1) * mailsPerPage, mailsPerPage);
  };
  const pageWith = (mail: MailSummary) => pageNumbered(Math.floor(store.position(mail) / mailsPerPage) + 1);

  /** Answers 404 itself where there is no such mail. */
  const withMail = (show: (ctx: RouterContext, mail: MailSummary, content: MailContent) => void) => {
    return async (ctx: RouterContext): Promise<void> => {
      const id = ctx.params['id'] ?? '';
      const content = await store.content(id);
      const mail = store.find(id);
      if (mail !== undefined && content !== undefined) show(ctx, mail, content);
    };
  };

  router.get('/', (ctx) => {
    ctx.body = startPage(view(pageNumbered(pageOf(ctx)))).source;
  });
  router.get('/list', (ctx) => {
    const selected = store.find(String(ctx.query['selected']));
    ctx.body = listPane(view(selected === undefined ? pageNumbered(pageOf(ctx)) : pageWith(selected), selected)).source;
  });
  router.get(
    '/messages/:id',
    withMail((ctx, mail, content) => {
      ctx.body = readingPage(view(pageWith(mail), mail), mail, content, content.html === null ? 'text' : 'html').source;
    }),
  );
  for (const tab of ['text', 'headers'] as const) {
    router.get(
      `/messages/:id/${tab}`,
      withMail((ctx, mail, content) => {
        ctx.body = readingPage(view(pageWith(mail), mail), mail, content, tab).source;
      }),
    );
  }
  router.get(
    '/messages/:id/html',
    withMail((ctx, _mail, content) => {
      if (content.html === null) return;
      ctx.set('Content-Security-Policy', mailPolicy);
      ctx.set('X-Frame-Options', 'SAMEORIGIN');
      ctx.type = 'text/html; charset=utf-8';
      ctx.body = standalone(content.html, content.attachments);
    }),
  );
  router.get(
    '/messages/:id/attachments/:number',
    withMail((ctx, _mail, content) => {
      const number = ctx.params['number'] ?? '';
      const attachment = /^\d{1,4}$/.test(number) ? content.attachments[Number(number)] : undefined;
      if (attachment === undefined) return;
      const shown = ctx.query['download'] === undefined ? shownTypes.get(attachment.contentType) : undefined;
      ctx.attachment(attachment.filename, { type: shown === undefined ? 'attachment' : 'inline' });
      ctx.type = shown ?? 'application/octet-stream';
      // The browser's own PDF reader needs its scripts and styles, which no page of ours grants.
      if (shown === 'application/pdf') ctx.set('Content-Security-Policy', "frame-ancestors 'none'");
      ctx.body = Buffer.from(attachment.content);
    }),
  );
  router.post('/delete-all', async (ctx) => {
    if (!isSameOrigin(ctx)) ctx.throw(403, 'This can only be asked for from the inbox itself');
    await store.deleteAll();
    logger.info({}, 'all mails deleted');
    ctx.redirect('/');
    ctx.status = 303;
  });

  router.get('/api/state', (ctx) => {
    ctx.body = { revision: store.revision, total: store.total };
  });
  router.get('/api/messages', (ctx) => {
    const { mails, total } = store.list(wholeNumber(ctx.query['offset'], 0), wholeNumber(ctx.query['limit'], Infinity));
    ctx.set('X-Total-Count', String(total));
    ctx.body = mails;
  });
  router.get(
    '/api/messages/:id',
    withMail((ctx, mail, content) => {
      ctx.body = { ...mail, html: content.html, text: content.text };
    }),
  );
  router.get('/api/messages/:id/raw', async (ctx) => {
    const id = ctx.params['id'] ?? '';
    const raw = await store.read(id);
    if (raw === undefined) return;
    ctx.attachment(`${id}.eml`);
    ctx.type = 'message/rfc822';
    ctx.body = raw;
  });

  asset(router, '/assets/inbox.css', 'text/css; charset=utf-8', stylesheet);
  asset(router, '/assets/inbox.js', 'text/javascript; charset=utf-8', listScript);
  asset(router, '/assets/icon.svg', 'image/svg+xml', icon.source);

  app.on('error', (error: Error & { expose?: boolean }) => {
    if (error.expose !== true) logger.error({ error: describeError(error) }, 'inbox page failed');
  });
  app.use(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'none'"],
          scriptSrc: ["'self'"],
          styleSrc: ["'self'"],
          imgSrc: ["'self'"],
          connectSrc: ["'self'"],
          frameSrc: ["'self'"],
          formAction: ["'self'"],
          baseUri: ["'none'"],
          frameAncestors: ["'none'"],
        },
      },
      strictTransportSecurity: false,
      originAgentCluster: false,
    }),
  );
  app.use(async (ctx, next) => {
    if (!isOurHost(ctx.get('Host'), host)) ctx.throw(421, 'This inbox is not known by that name');
    ctx.set('Cache-Control', 'no-store');
    await next();
    const isUnanswered = ctx.status === 404 && ctx.body === undefined;
    if (!isUnanswered) return;
    if (ctx.path.startsWith('/api/')) ctx.body = { title: 'Not found', status: 404 };
    else ctx.body = notFoundPage(view(pageNumbered(1))).source;
    ctx.status = 404;
  });
  app.use(router.routes()).use(router.allowedMethods());
  return app;
}

function asset(router: Router, path: string, type: string, body: string): void {
  const etag = createHash('sha256').update(body).digest('base64url');
  router.get(path, (ctx) => {
    ctx.set('Cache-Control', 'no-cache');
    ctx.etag = etag;
    ctx.type = type;
    ctx.status = 200;
    if (ctx.fresh) ctx.status = 304;
    else ctx.body = body;
  });
}

/** A website whose name was pointed at this machine must not read the mails: only addresses and local names will do. */
function isOurHost(header: string, host: string): boolean {
  const name = header.replace(/:\d+$/, '').toLowerCase();
  return (
    name === host || name === 'localhost' || name.endsWith('.localhost') || isIP(name.replace(/^\[|\]$/g, '')) !== 0
  );
}

function isSameOrigin(ctx: RouterContext): boolean {
  const site = ctx.get('Sec-Fetch-Site');
  return site === '' ? ctx.get('Origin') === `http://${ctx.host}` : site === 'same-origin';
}

function pageOf(ctx: RouterContext): number {
  return Math.max(1, wholeNumber(ctx.query['page'], 1));
}

function wholeNumber(value: unknown, otherwise: number): number {
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : otherwise;
}

/** A mail's markup with its own pictures inside, so that it needs nothing from anywhere. */
function standalone(source: string, attachments: readonly MailAttachment[]): string {
  const pictures = new Map(
    attachments
      .filter(({ contentId, contentType }) => contentId !== null && imageTypes.test(contentType))
      .map(({ contentId, contentType, content }) => [
        contentId,
        `data:${contentType};base64,${Buffer.from(content).toString('base64')}`,
      ]),
  );
  const withPictures = source.replace(/\bcid:([^"'\s>)]+)/gi, (reference, contentId: string) => {
    return pictures.get(contentId) ?? reference;
  });
  const doctype = /^\s*<!doctype[^>]*>/i.exec(withPictures)?.[0] ?? '';
  return `${doctype}<base target="_blank">${withPictures.slice(doctype.length)}`;
}
