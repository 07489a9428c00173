import { hash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Context, Middleware } from 'koa';

/** How files stand compressed beside themselves, the smallest first. */
const compressions = [
  { encoding: 'br', ending: '.br' },
  { encoding: 'gzip', ending: '.gz' },
] as const;

interface Representation {
  readonly encoding: (typeof compressions)[number]['encoding'] | 'identity';
  readonly body: Buffer;
  readonly etag: string;
}

interface SiteFile {
  readonly extension: string;
  readonly cacheControl: string;
  /** The file as it is comes last. */
  readonly representations: readonly Representation[];
}

const notFoundName = '404.html';

/** Written by the build: the pages that answer for other paths than their own name's, e.g. `/admin/leads/:id`. */
const routesName = '.routes.json';

/**
 * Serves the built site from memory as it was at start, so that a build which replaces it takes nothing from under a
 * request. Hashed assets may be kept for ever, pages are asked for again. Any other path is the 404 card with its true
 * status; a page's other spellings lead to its one address. Everything is small, so a Range is left unheeded (RFC 9110 §14.2).
 * `ctx.state.page` says which file or page it was, as the build names it.
 * @param directory - the built site, with a 404.html
 * @throws when the directory holds no built site
 */
export function site(directory: string): Middleware {
  const notFoundPage = readSiteFile(directory, notFoundName);
  const routes = readRoutes(directory);
  const unnamed = new Set([notFoundName, ...routes.map(({ name }) => name)]);
  const { files, redirects } = readSite(directory, unnamed);
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    const pagePath = redirects.get(ctx.path);
    if (pagePath !== undefined) {
      ctx.state['page'] = ctx.path;
      ctx.status = 308;
      ctx.set('Cache-Control', 'no-cache');
      ctx.redirect(pagePath + ctx.search);
      return;
    }
    const file = files.get(ctx.path);
    const route = file ? undefined : routes.find(({ pattern }) => pattern.test(ctx.path));
    ctx.state['page'] = file ? ctx.path : route?.path;
    const found = file ?? route?.file;
    ctx.status = found ? 200 : 404;
    answer(ctx, found ?? notFoundPage);
  };
}

function answer(ctx: Context, { extension, cacheControl, representations }: SiteFile): void {
  const accepted = representations.find(({ encoding }) => ctx.acceptsEncodings(encoding) === encoding);
  const chosen = accepted ?? representations.at(-1);
  if (!chosen) throw new Error('A file of the site without its content');
  ctx.vary('Accept-Encoding');
  ctx.set('Cache-Control', cacheControl);
  ctx.type = extension;
  if (chosen.encoding !== 'identity') ctx.set('Content-Encoding', chosen.encoding);
  ctx.etag = chosen.etag;
  ctx.body = chosen.body;
  if (ctx.fresh) ctx.status = 304;
}

interface Route {
  readonly name: string;
  /** As the build names it. */
  readonly path: string;
  readonly pattern: RegExp;
  readonly file: SiteFile;
}

/** @returns nothing for a site that has no such pages */
function readRoutes(directory: string): readonly Route[] {
  const routesFile = join(directory, routesName);
  if (!statSync(routesFile, { throwIfNoEntry: false })?.isFile()) return [];
  const pathsByName = JSON.parse(readFileSync(routesFile, 'utf8')) as Readonly<Record<string, readonly string[]>>;
  return Object.entries(pathsByName).flatMap(([name, paths]) => {
    const file = readSiteFile(directory, name);
    return paths.map((path) => ({ name, path, pattern: patternOf(path), file }));
  });
}

/** A path whose segments stand for themselves, but `:name` for any one segment. */
function patternOf(path: string): RegExp {
  const segments = path
    .split('/')
    .map((segment) => (segment.startsWith(':') ? '[^/]+' : segment.replaceAll(/[^\w-]/g, '\\$&')));
  return new RegExp(`^${segments.join('/')}/?$`);
}

/**
 * The files by the paths that they are asked for by: a page's is its name without `.html`.
 * @param unnamed - files that no path of their own leads to
 */
function readSite(directory: string, unnamed: ReadonlySet<string>) {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter(
    (name) =>
      !unnamed.has(name) &&
      !/(^|\/)\./.test(name) &&
      !compressions.some(({ ending }) => name.endsWith(ending)) &&
      statSync(join(directory, name)).isFile(),
  );
  const files = new Map<string, SiteFile>();
  const redirects = new Map<string, string>();
  for (const name of names) {
    const file = readSiteFile(directory, name);
    if (!name.endsWith('.html')) {
      files.set(`/${name}`, file);
      continue;
    }
    const path = `/${name}`.replace(/(\/index)?\.html$/, '');
    files.set(path === '' ? '/' : path, file);
    redirects.set(`/${name}`, path === '' ? '/' : path);
    if (path !== '') redirects.set(`${path}/`, path);
  }
  return { files, redirects };
}

function readSiteFile(directory: string, name: string): SiteFile {
  const representations = [...compressions, { encoding: 'identity', ending: '' } as const].flatMap(
    ({ encoding, ending }): Representation[] => {
      const path = join(directory, `${name}${ending}`);
      if (ending !== '' && !statSync(path, { throwIfNoEntry: false })?.isFile()) return [];
      const body = readFileSync(path);
      return [{ encoding, body, etag: hash('sha256', body, 'base64url') }];
    },
  );
  return {
    extension: posix.extname(name),
    cacheControl: name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    representations,
  };
}
