import { isIP } from 'node:net';
import { describeError, type Logger } from '@dune-tide/platform/log';
import Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import helmet from 'helmet';
import Koa from 'koa';
import type { MailStore } from './mail-store.ts';
import type { Mail } from './mail.ts';
import { icon, messagePage, readingPage, script, stylesheet } from './pages.ts';
import type { View } from './pages.ts';

interface InboxAppDependencies {
  readonly store: MailStore;
  readonly smtpUrl: string;
  /** The name or address on which the server listens. */
  readonly host: string;
  readonly logger: Logger;
}

/** The number of emails on the page. The directory and `/api/messages` have all of them. */
const listedMails = 200;

/** The policy for an email's HTML: no scripts, no external resources, links in a new tab. */
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

/** Attachment types that the browser may show. Others are downloaded. */
const shownTypes = /^(?:application\/pdf|image\/(?:png|jpeg|gif|webp)|text\/plain)$/;

const setHeaders = helmet({
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
});

/**
 * Creates the web app with the inbox's pages and its JSON API.
 * @returns the app, not yet listening
 */
export function createInboxApp({ store, smtpUrl, host, logger }: InboxAppDependencies): Koa {
  const app = new Koa();
  const router = new Router();
  const view = async (selected?: string): Promise<View> => {
    return { smtpUrl, total: store.total, mails: await store.list(listedMails), selected };
  };
  /** Loads the email of the path. The response stays 404 if it does not exist. */
  const withMail = (show: (ctx: RouterContext, mail: Mail) => void | Promise<void>) => {
    return async (ctx: RouterContext): Promise<void> => {
      const mail = await store.read(ctx.params['id'] ?? '');
      if (mail !== undefined) await show(ctx, mail);
    };
  };
  const asset = (path: string, type: string, body: string): void =>
    void router.get(path, (ctx) => {
      ctx.type = type;
      ctx.body = body;
    });

  router.get('/', async (ctx) => {
    const hint = `Everything that is sent to ${smtpUrl} is kept here. Nothing is delivered to anyone.`;
    ctx.body = messagePage(await view(), 'Inbox', hint).source;
  });
  router.get(
    '/messages/:id',
    withMail(async (ctx, mail) => {
      ctx.body = readingPage(await view(mail.summary.id), mail).source;
    }),
  );
  router.get(
    '/messages/:id/html',
    withMail((ctx, mail) => {
      if (mail.html === null) return;
      ctx.set('Content-Security-Policy', mailPolicy);
      ctx.set('X-Frame-Options', 'SAMEORIGIN');
      ctx.type = 'text/html; charset=utf-8';
      ctx.body = standalone(mail.html, mail.attachments);
    }),
  );
  router.get(
    '/messages/:id/attachments/:number',
    withMail((ctx, mail) => {
      const number = ctx.params['number'] ?? '';
      const attachment = /^\d{1,4}$/.test(number) ? mail.attachments[Number(number)] : undefined;
      if (attachment === undefined) return;
      const { contentType, filename, content } = attachment;
      const isShown = shownTypes.test(contentType);
      ctx.attachment(filename, { type: isShown ? 'inline' : 'attachment' });
      ctx.type = isShown ? contentType : 'application/octet-stream';
      // The browser's PDF viewer needs scripts and styles, which the usual policy forbids.
      if (contentType === 'application/pdf') ctx.set('Content-Security-Policy', "frame-ancestors 'none'");
      ctx.body = Buffer.from(content);
    }),
  );
  router.post('/delete-all', async (ctx) => {
    const site = ctx.get('Sec-Fetch-Site');
    const isOwn = site === '' ? ctx.get('Origin') === `http://${ctx.host}` : site === 'same-origin';
    if (!isOwn) ctx.throw(403, 'Only pages of the inbox can request this');
    await store.deleteAll();
    logger.info({}, 'all emails deleted');
    ctx.redirect('/');
    ctx.status = 303;
  });

  router.get('/api/messages', async (ctx) => {
    ctx.body = await store.list();
  });
  router.get(
    '/api/messages/:id',
    withMail((ctx, mail) => {
      ctx.body = { ...mail.summary, html: mail.html, text: mail.text };
    }),
  );
  router.get(
    '/api/messages/:id/raw',
    withMail((ctx, { summary, raw }) => {
      ctx.attachment(`${summary.id}.eml`);
      ctx.type = 'message/rfc822';
      ctx.body = raw;
    }),
  );
  asset('/assets/inbox.css', 'text/css; charset=utf-8', stylesheet);
  asset('/assets/inbox.js', 'text/javascript; charset=utf-8', script);
  asset('/assets/icon.svg', 'image/svg+xml', icon.source);

  app.on('error', (error: Error & { expose?: boolean }) => {
    if (error.expose !== true) logger.error({ error: describeError(error) }, 'inbox page failed');
  });
  app.use(async (ctx, next) => {
    if (!isOurHost(ctx.get('Host'), host)) ctx.throw(421, 'The inbox does not accept this host name');
    setHeaders(ctx.req, ctx.res, (error) => ctx.assert(error === undefined, 500));
    ctx.set('Cache-Control', 'no-store');
    await next();
    if (ctx.status !== 404) return;
    ctx.body = ctx.path.startsWith('/api/')
      ? { title: 'Not found', status: 404 }
      : messagePage(await view(), 'Not found', 'This email does not exist. It may have been deleted.').source;
    ctx.status = 404;
  });
  app.use(router.routes()).use(router.allowedMethods());
  return app;
}

/** Accepts only addresses and local names: a website whose name resolves to this machine must not read the emails. */
function isOurHost(header: string, host: string): boolean {
  const name = header.replace(/:\d+$/, '').toLowerCase();
  return [host, 'localhost'].includes(name) || name.endsWith('.localhost') || isIP(name.replace(/^\[|\]$/g, '')) !== 0;
}

/** Returns an email's HTML with its attached pictures embedded, so that it loads nothing. */
function standalone(source: string, attachments: Mail['attachments']): string {
  const withPictures = source.replace(/\bcid:([^"'\s>)]+)/gi, (reference, contentId: string) => {
    const picture = attachments.find((each) => each.contentId === contentId && each.contentType.startsWith('image/'));
    return picture
      ? `data:${picture.contentType};base64,${Buffer.from(picture.content).toString('base64')}`
      : reference;
  });
  const doctype = /^\s*<!doctype[^>]*>/i.exec(withPictures)?.[0] ?? '';
  return `${doctype}<base target="_blank">${withPictures.slice(doctype.length)}`;
}
