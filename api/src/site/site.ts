import { hash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { SettingsError } from '@dune-tide/platform/settings';
import type { Context, Middleware } from '../http/context.ts';
import { Problem } from '../http/errors/problem.ts';

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
 * request. Hashed assets may be kept for ever, pages are asked for again. A page's other spellings lead to its one
 * address; any other path is the 404 card with its true status. Other methods than GET and HEAD are refused where there
 * is a file or a page (405). Everything is small, so a Range is left unheeded (RFC 9110 §14.2). `ctx.state.page` says
 * which file or page it was, as the build names it.
 * @param directory - the built site, with a 404.html
 * @throws {SettingsError} when the directory holds no built site
 */
export function site(directory: string): Middleware {
  if (!statSync(join(directory, notFoundName), { throwIfNoEntry: false })?.isFile()) {
    throw new SettingsError('SITE_DIRECTORY holds no built site.');
  }
  const notFoundPage = readSiteFile(directory, notFoundName);
  const routes = readRoutes(directory);
  const { files, pages } = readSite(directory, new Set([notFoundName, ...routes.map(({ name }) => name)]));
  const spellings = [...pages, ...routes].map((page) => ({
    ...page,
    segments: segmentsOf(page.spelling).map((segment) => (isPlaceholder(segment) ? segment : segment.toLowerCase())),
  }));
  return async (ctx, next) => {
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    const file = files.get(ctx.path);
    if (file && isRead) {
      ctx.state.page = ctx.path;
      answer(ctx, 200, file);
      return;
    }
    const asked = segmentsOf(ctx.path);
    const read = asked.map(canonicalSegment);
    const page = spellings.find(({ segments }) => areSegmentsOf(segments, read));
    if (!isRead) {
      if (file || page) throw new Problem(405, { headers: { Allow: 'GET, HEAD' } });
      return next();
    }
    if (!page) {
      answer(ctx, 404, notFoundPage);
      return;
    }
    ctx.state.page = page.path;
    const address = addressOf(page, asked);
    if (ctx.path === address) answer(ctx, 200, page.file);
    else redirect(ctx, address);
  };
}

/** The segments of a path, as they are however many slashes stand between them. */
const segmentsOf = (path: string): readonly string[] => path.split('/').filter((segment) => segment !== '');

const isPlaceholder = (segment: string): boolean => segment.startsWith(':');

/** @param asked - as `canonicalSegment` reads them */
function areSegmentsOf(page: readonly string[], asked: readonly string[]): boolean {
  return (
    page.length === asked.length && page.every((segment, index) => isPlaceholder(segment) || segment === asked[index])
  );
}

/** A segment in small letters, without `%` for what needs none: browsers' routers read it so. */
function canonicalSegment(segment: string): string {
  try {
    return decodeURIComponent(segment).toLowerCase();
  } catch {
    // A `%` that begins no character: no page has one in its name.
    return segment;
  }
}

/** The one address of the page, with what was asked for in its placeholders. */
function addressOf({ path }: Page, asked: readonly string[]): string {
  const [, ...segments] = path.split('/');
  return `/${segments.map((segment, index) => (isPlaceholder(segment) ? asked[index] : segment)).join('/')}`;
}

function redirect(ctx: Context, address: string): void {
  ctx.status = 308;
  ctx.set('Cache-Control', 'no-cache');
  ctx.redirect(address + ctx.search);
}

function answer(ctx: Context, status: number, { extension, cacheControl, representations }: SiteFile): void {
  const accepted = representations.find(({ encoding }) => ctx.acceptsEncodings(encoding) === encoding);
  const chosen = accepted ?? representations.at(-1);
  if (!chosen) throw new Error('A file of the site without its content');
  ctx.status = status;
  ctx.vary('Accept-Encoding');
  ctx.set('Cache-Control', cacheControl);
  ctx.type = extension;
  if (chosen.encoding !== 'identity') ctx.set('Content-Encoding', chosen.encoding);
  ctx.etag = chosen.etag;
  ctx.body = chosen.body;
  if (ctx.fresh) ctx.status = 304;
}

interface Page {
  /** Its one address, as the build names it; `:name` is a placeholder for any one segment. */
  readonly path: string;
  /** A path that leads to it: its own or another. */
  readonly spelling: string;
  readonly file: SiteFile;
}

interface Route extends Page {
  /** The file's. */
  readonly name: string;
}

/** @returns nothing for a site that has no such pages */
function readRoutes(directory: string): readonly Route[] {
  const routesFile = join(directory, routesName);
  if (!statSync(routesFile, { throwIfNoEntry: false })?.isFile()) return [];
  const pathsByName = JSON.parse(readFileSync(routesFile, 'utf8')) as Readonly<Record<string, readonly string[]>>;
  return Object.entries(pathsByName).flatMap(([name, paths]) => {
    const file = readSiteFile(directory, name);
    return paths.map((path) => ({ name, path, spelling: path, file }));
  });
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
  const pages: Page[] = [];
  for (const name of names) {
    const file = readSiteFile(directory, name);
    if (!name.endsWith('.html')) {
      files.set(`/${name}`, file);
      continue;
    }
    const path = `/${name}`.replace(/(\/index)?\.html$/, '') || '/';
    files.set(path, file);
    pages.push({ path, spelling: path, file }, { path, spelling: `/${name}`, file });
  }
  return { files, pages };
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
