import type { StaffCall } from '@dune-tide/domain/staff-calls';
import { isUuid } from '@dune-tide/domain/uuid';
import { Router } from '@koa/router';
import { Problem } from './errors/problem.ts';
import type { ProblemStatus } from './errors/problem-responses.ts';
import type { Context, RequestState } from './context.ts';
import { readJson, type BodyRules } from './requests/json-body.ts';
import { queryReader, type Query, type QueryValues } from './requests/query.ts';
import type { RequestLimit } from './requests/request-limit.ts';
import type { HeaderDescription, ResponseDescription } from './response-description.ts';

/** The address of a call and who may make it: a row of `staffCalls`, or a public call. */
export interface Call extends Omit<StaffCall, 'path' | 'access'> {
  readonly path: string;
  /** The access as in `staffCalls`, or `link`: a token in the path authorises requests from any origin. */
  readonly access: StaffCall['access'] | 'link';
}

/** The rest of a call's description. */
interface Description {
  readonly summary: string;
  readonly description?: string;
  /** Parameters that are not declared are ignored. */
  readonly query?: Query;
  /** The headers that the call reads. All are optional. */
  readonly headers?: Readonly<Record<string, HeaderDescription>>;
  readonly body?: BodyRules<unknown>;
  /** Successful responses by status. */
  readonly responses: Readonly<Record<number, ResponseDescription>>;
  /** Problems besides those that all calls of the same kind share. */
  readonly problems?: readonly ProblemStatus[];
}

/** A declared call, as the router and the OpenAPI document read it. */
export interface Route extends Call, Description {
  /** Checks a request and responds to it. */
  readonly run: (ctx: Context) => Promise<void>;
}

interface Declaration<Path extends string, Parameters extends Query, Body, Limit> extends Description {
  readonly query?: Parameters;
  readonly body?: BodyRules<Body>;
  /** Runs before the body is read. Its value is passed to `handle`. */
  readonly limit?: RequestLimit<Limit>;
  readonly handle: (ctx: Context, input: Input<Path, Parameters, Body, Limit>) => void | Promise<void>;
}

/** The validated values of a request. */
interface Input<Path extends string, Parameters extends Query, Body, Limit> {
  /** The parameters of the path. Ids are in lower case, as the database returns them. */
  readonly params: Readonly<Record<PathParameter<Path>, string>>;
  readonly query: QueryValues<Parameters>;
  readonly body: Body;
  /** The body as parsed, for fields that the form does not have. */
  readonly sentBody: unknown;
  readonly limit: Limit;
}

type PathParameter<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathParameter<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** The parameters of paths that are ids. */
export const idParameters: ReadonlySet<string> = new Set(['id', 'noteId', 'replyId']);

/**
 * Declares a call. Its checks run in this order: the role (403), the ids in the path (404), the limit (429), the format of the body
 * (400, 413, 415), the session once more (401), the fresh password (403), and the values of the query and the body
 * (422).
 */
export function route<
  const Path extends string,
  const Parameters extends Query = Record<string, never>,
  Body = undefined,
  Limit = undefined,
>(
  call: Call & { readonly path: Path },
  { handle, limit, ...description }: Declaration<Path, Parameters, Body, Limit>,
): Route {
  type OwnInput = Input<Path, Parameters, Body, Limit>;
  const { query, body } = description;
  const names = [...call.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const readQuery = query && queryReader(query);

  const respond = async (ctx: Context, params: OwnInput['params'], value: Limit): Promise<void> => {
    const sentBody = body && (await readJson(ctx));
    if (call.needsFreshPassword === true) await checkFreshPassword(ctx);
    // The casts concern what is not declared, whose type is undefined or empty.
    await handle(ctx, {
      params,
      query: readQuery?.(ctx) as OwnInput['query'],
      body: body?.read(sentBody) as Body,
      sentBody,
      limit: value,
    });
  };

  return {
    ...call,
    ...description,
    async run(ctx) {
      if (call.access === 'owner' && ctx.state.staff?.role !== 'owner') throw ownerNeeded();
      const params = paramsOf(ctx, names) as OwnInput['params'];
      await (limit ? limit(ctx, (value) => respond(ctx, params, value)) : respond(ctx, params, undefined as Limit));
    },
  };
}

/** Returns a router with the routes, in their order. */
export function routerOf(routes: readonly Route[]): Router<RequestState> {
  const router = new Router<RequestState>();
  for (const { method, path, run } of routes) router.register(path, [method], run);
  return router;
}

/** @throws {Problem} 404 for a malformed id */
function paramsOf(ctx: Context, names: readonly string[]): Readonly<Record<string, string>> {
  const params: Record<string, string> = {};
  for (const name of names) {
    const value = String((ctx['params'] as Readonly<Record<string, unknown>>)[name]);
    if (idParameters.has(name) && !isUuid(value)) throw new Problem(404);
    params[name] = idParameters.has(name) ? value.toLowerCase() : value;
  }
  return params;
}

/** Returns the 403 for a call that only owners may make. */
export function ownerNeeded(detail = 'Only an owner can do this.'): Problem {
  return new Problem(403, { type: 'owner_needed', detail });
}

/** @throws {Problem} 403 unless the account has entered its password within ten minutes */
export async function checkFreshPassword(ctx: Context): Promise<void> {
  const { checkFreshPassword: check } = ctx.state;
  if (!check) throw new Error('This path does not require a session');
  await check();
}
