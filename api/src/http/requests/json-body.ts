import { maxBodyBytes } from '@dune-tide/domain/limits';
import getRawBody from 'raw-body';
import secureJson from 'secure-json-parse';
import type { Context, Middleware } from '../context.ts';
import { Problem } from '../errors/problem.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Has something checked once a request's body has arrived, which may be long after its headers.
 * @param check - what it throws is the answer
 */
export function checkAfterBody(ctx: Context, check: () => Promise<void>): void {
  ctx.state.checkAfterBody = check;
}

/**
 * Reads a JSON body into `ctx.state.body`. Bodies are taken uncompressed only, so there is nothing to inflate. Behind the
 * staff's guard, whoever sends it is still signed in once it has arrived.
 * @throws {Problem} 415 not JSON or compressed, 413 too long, 400 malformed or hostile (docs/PRODUCT.md, "Problems"),
 *   401 when the session is over
 * @throws {DatabaseUnavailableError} behind the staff's guard
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
        detail: `The body is over ${maxBodyBytes / 1024} KiB.`,
        headers: { Connection: 'close' },
      });
    }
    throw new Problem(400, { detail: 'The body did not arrive whole.', headers: { Connection: 'close' } });
  }
}

function parse(bytes: Buffer): unknown {
  let body: unknown;
  try {
    body = JSON.parse(utf8.decode(bytes));
  } catch {
    throw new Problem(400, { detail: 'The body is not well-formed JSON.' });
  }
  // JSON.parse hands __proto__ and constructor.prototype on. The library's own parse searches the text for them, which
  // takes far longer than to look at what was parsed.
  if (typeof body === 'object' && body !== null && secureJson.scan(body, { safe: true }) === null) {
    throw new Problem(400, { detail: 'The body has keys that no body may have.' });
  }
  return body;
}
