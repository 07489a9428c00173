import type { IncomingHttpHeaders } from 'node:http';
import { connectDatabase } from '@dune-tide/db/connection';
import type { JsonSchema } from '@dune-tide/domain/responses/schema';
import { memoryLogger } from '@dune-tide/testkit/log';
import { Ajv2020, type SchemaObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { createApp } from '../src/app.ts';
import { isStaffPath } from '../src/auth/paths.ts';
import { problemResponses, type ProblemStatus } from '../src/http/errors/problem-responses.ts';
import { isApiPath } from '../src/http/errors/unmatched.ts';
import type { ResponseDescription } from '../src/http/response-description.ts';
import { problemsOf, sharedHeaders } from '../src/openapi/document.ts';

/** A response of the API. */
export interface TestResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
  /** @throws {SyntaxError} if the body is not JSON */
  json(): unknown;
}

/** A response differs from the declaration of its call. */
export class UndeclaredResponseError extends Error {
  override readonly name = 'UndeclaredResponseError';
}

const unused = (): Promise<never> => Promise.reject(new Error('This app only declares its calls'));

/** The declarations of all calls, of an app that handles no request. */
export const { routes } = createApp({
  database: connectDatabase({ url: 'postgres://studio@127.0.0.1:1/nothing', applicationName: 'api', poolSize: 1 }),
  producer: { enqueue: unused, check: unused, remove: unused, depth: unused, close: unused },
  rateLimits: { take: unused, takeIfAvailable: unused, close: unused },
  boardQueue: { open: unused, check: unused, close: unused },
  logger: memoryLogger().logger,
  publicUrl: 'http://studio.example',
  sessionKeys: ['a key that signs nothing, since nothing is sent'],
  trustedProxies: '',
  publicPostLimit: 0,
});

const ajv = new Ajv2020({ strict: true, allErrors: true });
addFormats.default(ajv);

/** Each route with the paths that it matches. Like the router, they ignore case and a trailing slash. */
const matchers = routes.map((route) => {
  const source = route.path.replaceAll('.', '\\.').replace('{*rest}', '.*').replaceAll(/:\w+/g, '[^/]+');
  return { route, pattern: new RegExp(`^${source}/?$`, 'i') };
});

/**
 * Checks the status, headers, content type and body of a response against the declaration of its call. Pages of the site
 * and responses of the HTTP server itself are not declared, so they always pass.
 * @param target - the path as sent, with its query
 * @throws {UndeclaredResponseError} if the response differs
 */
export function expectDeclared(method: string, target: string, response: TestResponse): void {
  const fault = faultOf(method, target.replace(/[?#].*$/s, ''), response);
  if (fault === undefined) return;
  const shown = `${method} ${target.slice(0, 200)} returned ${response.status} ${response.text.slice(0, 500)}`;
  throw new UndeclaredResponseError(`${shown}\nThis differs from the declaration of the call: ${fault}`);
}

type Fault = string | undefined;

function faultOf(method: string, path: string, received: TestResponse): Fault {
  const matching = matchers.filter(({ pattern }) => pattern.test(path)).map(({ route }) => route);
  const route = matching.find((each) => each.method === (method === 'HEAD' ? 'GET' : method));
  if (route) {
    const problem = problemsOf(route).find((status) => status === received.status);
    const response = route.responses[received.status] ?? (problem && problemResponses[problem]);
    return response ? responseFault(response, method, received) : 'its status is not declared';
  }
  if (!isApiPath(path)) return undefined;
  if (matching.length > 0 && method === 'OPTIONS' && received.status === 200) {
    return received.bytes.length > 0 || received.headers.allow === undefined
      ? 'OPTIONS must have Allow and no body'
      : undefined;
  }
  const general: readonly ProblemStatus[] = [
    matching.length === 0 ? 404 : 405,
    ...(isStaffPath(path) ? ([401, 503] as const) : []),
    ...(['GET', 'HEAD', 'OPTIONS'].includes(method) ? [] : ([403] as const)),
  ];
  const status = general.find((each) => each === received.status);
  if (status === undefined) return `a call that is not declared must return ${general.join(', ')}`;
  return responseFault(problemResponses[status], method, received);
}

function responseFault(response: ResponseDescription, method: string, received: TestResponse): Fault {
  const headers = Object.entries({ ...sharedHeaders, ...response.headers });
  const faults = headers.map(([name, { schema, isOptional = false }]) => {
    const value = received.headers[name.toLowerCase()];
    if (value === undefined) return isOptional ? undefined : `${name} is missing`;
    const isWhole = schema.type === 'integer' && /^\d+$/.test(String(value));
    return schemaFault(schema, isWhole ? Number(value) : String(value), name);
  });
  return [...faults, bodyFault(response, method, received)].find((fault) => fault !== undefined);
}

function bodyFault(
  { schema, mediaType = 'application/json' }: ResponseDescription,
  method: string,
  response: TestResponse,
): Fault {
  if (!schema || method === 'HEAD') return response.bytes.length > 0 ? 'it must not have a body' : undefined;
  const sent = response.headers['content-type']?.split(';')[0] ?? 'none';
  if (![sent, '*/*'].includes(mediaType)) return `its content type ${sent} is not declared`;
  if (!mediaType.endsWith('json')) return undefined;
  try {
    return schemaFault(schema, response.json(), 'the body');
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return 'the body is not JSON';
  }
}

/** Validates a value. Ajv compiles each schema on its first use. */
function schemaFault(schema: JsonSchema, value: unknown, what: string): Fault {
  const validate = ajv.compile(schema as SchemaObject);
  if (validate(value)) return undefined;
  const errors = (validate.errors ?? []).map(({ instancePath, message, params }) =>
    `${instancePath} ${message ?? ''} ${JSON.stringify(params)}`.trim(),
  );
  return `${what}: ${errors.join('; ')}`;
}
