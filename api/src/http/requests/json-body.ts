import type { FormSchema, FormValues } from '@dune-tide/domain/forms/form-schema';
import { maxBodyBytes } from '@dune-tide/domain/limits';
import { FormError, formReader } from '@dune-tide/platform/form-reader';
import getRawBody from 'raw-body';
import secureJson from 'secure-json-parse';
import type { Context } from '../context.ts';
import { Problem } from '../errors/problem.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The rules of a request's body. */
export interface BodyRules<Values> {
  /** The forms that the body may match. */
  readonly schemas: readonly FormSchema[];
  /**
   * Validates the parsed body.
   * @throws {FormError} or {UnstorableTextError}
   */
  readonly read: (body: unknown) => Values;
}

/** Returns the rules of a form. */
export function formBody<const Schema extends FormSchema>(schema: Schema): BodyRules<FormValues<Schema>> {
  return { schemas: [schema], read: formReader(schema) };
}

/**
 * Returns the rules of a change. A blank field is rejected, because to ignore it would not do what the caller wants.
 */
export function changeBody<const Schema extends FormSchema>(schema: Schema): BodyRules<FormValues<Schema>> {
  const read = formReader(schema);
  return {
    schemas: [schema],
    read(body) {
      const values = read(body);
      const blank = Object.entries(schema.properties).filter(
        ([field]) => Object.hasOwn(body as object, field) && !Object.hasOwn(values as object, field),
      );
      if (blank.length === 0) return values;
      throw new FormError(blank.map(([field, { messages }]) => ({ field, message: messages.default })));
    },
  };
}

/**
 * Reads a JSON body. Compressed bodies are refused, so that a small body cannot expand. On staff calls the session is
 * checked again after the body has arrived.
 * @throws {Problem} 415 not JSON or compressed, 413 too long, 400 malformed or with forbidden keys (docs/PRODUCT.md,
 *   "Problems"), 401 if the session has ended
 * @throws {DatabaseUnavailableError} on staff calls, if the session cannot be checked
 */
export async function readJson(ctx: Context): Promise<unknown> {
  if (!ctx.is('application/json')) {
    throw new Problem(415, { detail: 'Send the body as application/json.', headers: { Accept: 'application/json' } });
  }
  if (!['', 'identity'].includes(ctx.get('Content-Encoding').toLowerCase())) {
    throw new Problem(415, { detail: 'Send the body uncompressed.', headers: { 'Accept-Encoding': 'identity' } });
  }
  const bytes = await readBytes(ctx.req, ctx.request.length);
  await ctx.state.checkAfterBody?.();
  return parse(bytes);
}

async function readBytes(request: NodeJS.ReadableStream, length: number | undefined): Promise<Buffer> {
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
