import { maxBodyBytes } from '@dune-tide/domain/limits';
import getRawBody from 'raw-body';
import secureJson from 'secure-json-parse';
import type { Context, Middleware } from '../context.ts';
import { Problem } from '../errors/problem.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Registers a check that runs after the body has been read, which may be long after the headers.
 * @param check - throws the problem to respond with
 */
export function checkAfterBody(ctx: Context, check: () => Promise<void>): void {
  ctx.state.checkAfterBody = check;
}

/**
 * Reads a JSON body into `ctx.state.body`. Compressed bodies are refused, so that a small body cannot expand. On staff
 * calls the session is checked again after the body has arrived.
 * @throws {Problem} 415 not JSON or compressed, 413 too long, 400 malformed or with forbidden keys (docs/PRODUCT.md,
 *   "Problems"), 401 if the session has ended
 * @throws {DatabaseUnavailableError} on staff calls, if the session cannot be checked
 */
export function jsonBody(): Middleware {
  return async (ctx, next) => {
    if (!ctx.is('application/json')) {
      throw new Problem(415, { detail: 'Send the body as application/json.', headers: { Accept: 'application/json' } });
    }
    if (!['', 'identity'].includes(ctx.get('Content-Encoding').toLowerCase())) {
      throw new Problem(415, { detail: 'Send the body uncompressed.', headers: { 'Accept-Encoding': 'identity' } });
    }
    const bytes = await read(ctx.req, ctx.request.length);
    await ctx.state.checkAfterBody?.();
    ctx.state.body = parse(bytes);
    await next();
  };
}

async function read(request: NodeJS.ReadableStream, length: number | undefined): Promise<Buffer> {
  try {
    return await getRawBody(request, { limit: maxBodyBytes, length: length ?? null });
  } catch (error) {
    const type = error instanceof Error && 'type' in error ? error.type : undefined;
    if (type === 'entity.too.large') {
      throw new Problem(413, {
        detail: `The body is larger than ${maxBodyBytes / 1024} KiB.`,
        headers: { Connection: 'close' },
      });
    }
    throw new Problem(400, { detail: 'The body is incomplete.', headers: { Connection: 'close' } });
  }
}

function parse(bytes: Buffer): unknown {
  let body: unknown;
  try {
    body = JSON.parse(utf8.decode(bytes));
  } catch {
    throw new Problem(400, { detail: 'The body is not well-formed JSON.' });
  }
  // JSON.parse keeps the keys __proto__ and constructor.prototype. The library's own parse function searches the text
  // for them, which is much slower than scanning the parsed value.
  if (typeof body === 'object' && body !== null && secureJson.scan(body, { safe: true }) === null) {
    throw new Problem(400, { detail: 'The body has forbidden keys.' });
  }
  return body;
}
