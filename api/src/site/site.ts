import { hash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { SettingsError } from '@dune-tide/platform/settings';
import Negotiator from 'negotiator';
import type { Context, Middleware } from '../http/context.ts';
import { Problem } from '../http/errors/problem.ts';

/** The endings of a file's compressed copies, the smallest copy first. */
const compressions = [
  { encoding: 'br', ending: '.br' },
  { encoding: 'gzip', ending: '.gz' },
] as const;

const compressed = {
  br: (content: Buffer): Buffer => brotliCompressSync(content),
  gzip: (content: Buffer): Buffer => gzipSync(content),
  identity: (content: Buffer): Buffer => content,
} as const;

interface Representation {
  readonly encoding: (typeof compressions)[number]['encoding'] | 'identity';
  readonly body: Buffer;
  readonly etag: string;
}

interface SiteFile {
  readonly extension: string;
  readonly cacheControl: string;
  /** The uncompressed file is the last entry. */
  readonly representations: readonly Representation[];
}

const notFoundName = '404.html';

/** A file of the build that lists pages whose paths differ from their file names, e.g. `/admin/leads/:id`. */
const routesName = '.routes.json';

/** Returns new content for a file of the site, e.g. `privacy.html`; undefined leaves the file as it is. */
export type PageEdit = (name: string, content: string) => string | undefined;

/**
 * Serves the built site from memory, as it was at start, so that a new build does not affect running requests. Browsers
 * may keep hashed assets forever and must revalidate pages. Other spellings of a page's path redirect to its canonical
 * path; any other path gets the 404 page with status 404. Methods other than GET and HEAD get 405 if the file or page
 * exists. All files are small, so Range is ignored (RFC 9110 §14.2). Sets `ctx.state.page` to the file or page as the
 * build names it.
 * @param directory - the built site, with a 404.html
 * @param edit - changes pages at start
 * @throws {SettingsError} if the directory does not contain a built site
 */
export function site(directory: string, edit: PageEdit = () => undefined): Middleware {
  if (!statSync(join(directory, notFoundName), { throwIfNoEntry: false })?.isFile()) {
    throw new SettingsError('SITE_DIRECTORY does not contain a built site. Run the build, or correct the path.');
  }
  const notFoundPage = readSiteFile(directory, notFoundName);
  const routes = readRoutes(directory);
  const { files, pages } = readSite(directory, new Set([notFoundName, ...routes.map(({ name }) => name)]), edit);
  const spellings = [...pages, ...routes].map((page) => ({
    ...page,
    segments: segmentsOf(page.spelling).map((segment) => (isPlaceholder(segment) ? segment : segment.toLowerCase())),
  }));
  return async (ctx, next) => {
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    const file = files.get(ctx.path);
    if (file && isRead) {
      ctx.state.page = ctx.path;
      sendFile(ctx, 200, file);
      return;
    }
    const asked = segmentsOf(ctx.path);
    const read = asked.map(canonicalSegment);
    const find = (path: readonly string[]) => spellings.find(({ segments }) => areSegmentsOf(segments, path));
    const bare = withoutSentenceEnd(read);
    const page = find(read) ?? find(bare);
    if (!isRead) {
      if (file || page) throw new Problem(405, { headers: { Allow: 'GET, HEAD' } });
      return next();
    }
    if (!page) {
      sendFile(ctx, 404, notFoundPage);
      return;
    }
    ctx.state.page = page.path;
    const address = find(read) ? addressOf(page, asked) : addressOf(page, bare);
    if (ctx.path === address) sendFile(ctx, 200, page.file);
    else redirect(ctx, address);
  };
}

/** Returns the segments of a path and ignores repeated slashes. */
const segmentsOf = (path: string): readonly string[] => path.split('/').filter((segment) => segment !== '');

const isPlaceholder = (segment: string): boolean => segment.startsWith(':');

/**
 * Returns whether a page has a path. A placeholder matches any segment.
 * @param asked - the segments of the path in canonical form
 */
function areSegmentsOf(page: readonly string[], asked: readonly string[]): boolean {
  return (
    page.length === asked.length && page.every((segment, index) => isPlaceholder(segment) || segment === asked[index])
  );
}

/** Returns a segment decoded and in lower case, as the routers of browsers read it. */
function canonicalSegment(segment: string): string {
  try {
    return decodeURIComponent(segment).toLowerCase();
  } catch {
    // The segment has an invalid `%` sequence, so it does not match the name of any page.
    return segment;
  }
}

/** Matches a character that a sentence leaves at the end of an address: closing punctuation, quotes and spaces of any script. */
const sentenceEnd =
  /[\s.,;:!?…)\]}>"'`*_\u2018-\u201f\u00bb\u203a\u060c\u061b\u061f\u06d4\u3001\u3002\u300d\u300f\uff01\uff09\uff0c\uff0e\uff1a\uff1b\uff1f]/u;

/** Returns the segments of a path without what a sentence leaves at its end. */
function withoutSentenceEnd(segments: readonly string[]): readonly string[] {
  const last = segments.at(-1) ?? '';
  let end = last.length;
  while (end > 0 && sentenceEnd.test(last.charAt(end - 1))) end--;
  return end === 0 ? segments.slice(0, -1) : [...segments.slice(0, -1), last.slice(0, end)];
}

/** Returns the canonical path of a page, with the requested values in its placeholders. */
function addressOf({ path }: Page, asked: readonly string[]): string {
  const [, ...segments] = path.split('/');
  return `/${segments.map((segment, index) => (isPlaceholder(segment) ? asked[index] : segment)).join('/')}`;
}

function redirect(ctx: Context, address: string): void {
  ctx.status = 308;
  ctx.set('Cache-Control', 'no-cache');
  ctx.redirect(address + ctx.search);
}

/** The method of negotiator 1 whose second parameter its types lack. */
interface EncodingNegotiator {
  encoding(available: string[], options: { readonly preferred: readonly string[] }): string | undefined;
}

function sendFile(ctx: Context, status: number, { extension, cacheControl, representations }: SiteFile): void {
  const encodings = representations.map(({ encoding }) => encoding);
  // If the client prefers none of them, the smallest copy is sent.
  const negotiator: EncodingNegotiator = new Negotiator(ctx.req);
  const accepted = negotiator.encoding(encodings, { preferred: encodings });
  const chosen = representations.find(({ encoding }) => encoding === accepted) ?? representations.at(-1);
  if (!chosen) throw new Error('A file of the site has no content');
  ctx.status = status;
  ctx.vary('Accept-Encoding');
  ctx.set('Cache-Control', cacheControl);
  if (isPicture(extension)) ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
  ctx.type = extension;
  if (chosen.encoding !== 'identity') ctx.set('Content-Encoding', chosen.encoding);
  ctx.etag = chosen.etag;
  ctx.body = chosen.body;
  if (ctx.fresh) ctx.status = 304;
}

/** Returns whether a file is a picture, which chats, search pages and emails may show. */
const isPicture = (extension: string): boolean => /^\.(?:avif|gif|ico|jpe?g|png|svg|webp)$/.test(extension);

interface Page {
  /** The canonical path, as the build names it. `:name` is a placeholder for one segment. */
  readonly path: string;
  /** A path that leads to the page: its canonical path or another spelling. */
  readonly spelling: string;
  readonly file: SiteFile;
}

interface Route extends Page {
  /** The name of the file. */
  readonly name: string;
}

/** @returns an empty array if the build has no such list */
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
 * Reads the files and returns them by their paths. The path of a page is its name without `.html`.
 * @param unnamed - files that are not served at the path of their name
 */
function readSite(directory: string, unnamed: ReadonlySet<string>, edit: PageEdit) {
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
    const file = readSiteFile(directory, name, edit);
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

function readSiteFile(directory: string, name: string, edit: PageEdit = () => undefined): SiteFile {
  const edited = name.endsWith('.html') ? edit(name, readFileSync(join(directory, name), 'utf8')) : undefined;
  const representations = [...compressions, { encoding: 'identity', ending: '' } as const].flatMap(
    ({ encoding, ending }): Representation[] => {
      const path = join(directory, `${name}${ending}`);
      if (ending !== '' && !statSync(path, { throwIfNoEntry: false })?.isFile()) return [];
      const body = edited === undefined ? readFileSync(path) : compressed[encoding](Buffer.from(edited));
      return [{ encoding, body, etag: hash('sha256', body, 'base64url') }];
    },
  );
  return {
    extension: posix.extname(name),
    cacheControl: name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    representations,
  };
}
