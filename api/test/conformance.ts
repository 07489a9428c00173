import type { IncomingHttpHeaders } from 'node:http';
import { ownKeywords } from '@dune-tide/domain/forms/form-schema';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isApiPath } from '../src/http/errors/unanswered.ts';
import type { ProblemStatus } from '../src/http/errors/problem-answers.ts';
import {
  openApiDocument,
  responseName,
  type HeaderObject,
  type PathItem,
  type Reference,
  type ResponseObject,
} from '../src/openapi/document.ts';
import { isStaffPath } from '../src/auth/paths.ts';

/** A response of the API. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
  /** @throws {SyntaxError} if the body is not JSON */
  json(): unknown;
}

/** A response does not match the API's own description. */
export class NonconformingAnswerError extends Error {
  override readonly name = 'NonconformingAnswerError';
}

/** The API's description. The name of the cookie does not matter in the tests. */
export const description = openApiDocument('session');

const ajv = new Ajv2020({ strict: true, allErrors: true }).addVocabulary([
  ...ownKeywords,
  // These are keys of the document, which contains the schemas.
  'openapi',
  'info',
  'paths',
  'components',
]);
addFormats.default(ajv);
ajv.addSchema(description, 'description');

/**
 * Patterns of the described paths, those without parameters first. Like the router, they ignore case and a trailing
 * slash.
 */
const byParameters = (one: string, other: string): number => Number(one.includes('{')) - Number(other.includes('{'));
const patterns = Object.keys(description.paths)
  .toSorted(byParameters)
  .map((path) => {
    const source = path
      .replaceAll('.', '\\.')
      .replace('{rest}', '.*')
      .replaceAll(/\{\w+\}/g, '[^/]+');
    return { path, pattern: new RegExp(`^${source}/?$`, 'i') };
  });

/**
 * Checks the status, headers, content type and body of a response against the API's description. Pages of the site and
 * responses of the HTTP server itself are not described, so they always pass.
 * @param target - the path as sent, with its query
 * @throws {NonconformingAnswerError} if the response does not match
 */
export function expectConforming(method: string, target: string, answer: Answer): void {
  const fault = faultOf(method, target.replace(/[?#].*$/s, ''), answer);
  if (fault === undefined) return;
  const shown = `${method} ${target.slice(0, 200)} returned ${answer.status} ${answer.text.slice(0, 500)}`;
  throw new NonconformingAnswerError(`${shown}\nThis does not match the API's description: ${fault}`);
}

type Fault = string | undefined;

function faultOf(method: string, path: string, answer: Answer): Fault {
  const described = patterns.find(({ pattern }) => pattern.test(path))?.path;
  const methods: PathItem = description.paths[described ?? ''] ?? {};
  const name = (method === 'HEAD' ? 'GET' : method).toLowerCase();
  const operation = Object.entries(methods).find(([each]) => each === name)?.[1];
  if (operation) {
    if (!(answer.status in operation.responses)) return 'its status is not described';
    return responseFault(['paths', described ?? '', name, 'responses', String(answer.status)], method, answer);
  }
  if (!isApiPath(path)) return undefined;
  if (described !== undefined && method === 'OPTIONS' && answer.status === 200) {
    return answer.bytes.length > 0 || answer.headers.allow === undefined
      ? 'OPTIONS must have Allow and no body'
      : undefined;
  }
  const general: readonly ProblemStatus[] = [
    described === undefined ? 404 : 405,
    ...(isStaffPath(path) ? ([401, 503] as const) : []),
    ...(['GET', 'HEAD', 'OPTIONS'].includes(method) ? [] : ([403] as const)),
  ];
  const status = general.find((each) => each === answer.status);
  if (status === undefined) return `a call that is not described must return ${general.join(', ')}`;
  return responseFault(['components', 'responses', responseName(status)], method, answer);
}

/** @param place - the place of the response in the description */
function responseFault(place: Place, method: string, answer: Answer): Fault {
  const [at, response] = resolved(place);
  const { headers, content } = response as ResponseObject;
  const faults = Object.keys(headers).map((header) => headerFault([...at, 'headers', header], header, answer));
  return [...faults, bodyFault([...at, 'content'], content, method, answer)].find((fault) => fault !== undefined);
}

function headerFault(place: Place, header: string, { headers }: Answer): Fault {
  const [at, described] = resolved(place);
  const { required, schema } = described as HeaderObject;
  const value = headers[header.toLowerCase()];
  if (value === undefined) return required ? `${header} is missing` : undefined;
  const isWhole = schema.type === 'integer' && /^\d+$/.test(String(value));
  return schemaFault([...at, 'schema'], isWhole ? Number(value) : String(value), header);
}

function bodyFault(place: Place, content: ResponseObject['content'], method: string, answer: Answer): Fault {
  if (!content || method === 'HEAD') return answer.bytes.length > 0 ? 'it must not have a body' : undefined;
  const sent = answer.headers['content-type']?.split(';')[0] ?? 'none';
  const mediaType = [sent, '*/*'].find((type) => type in content);
  if (mediaType === undefined) return `its content type ${sent} is not described`;
  if (!mediaType.endsWith('json')) return undefined;
  try {
    return schemaFault([...place, mediaType, 'schema'], answer.json(), 'the body');
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return 'the body is not JSON';
  }
}

/** Validates a value. Each schema is compiled on its first use. */
function schemaFault(place: Place, value: unknown, what: string): Fault {
  const keys = place.map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1')));
  const validate = ajv.getSchema(`description#/${keys.join('/')}`);
  if (!validate) throw new Error(`The description has no schema at ${place.join(' ')}`);
  if (validate(value)) return undefined;
  const errors = (validate.errors ?? []).map(({ instancePath, message, params }) =>
    `${instancePath} ${message ?? ''} ${JSON.stringify(params)}`.trim(),
  );
  return `${what}: ${errors.join('; ')}`;
}

/** The keys that lead to a part of the description. */
type Place = readonly string[];

/** Returns the part of the description at a place, and follows references. */
function resolved(place: Place): readonly [Place, object] {
  let part: unknown = description;
  for (const key of place) part = (part as Readonly<Record<string, unknown>>)[key];
  const target = part as object | Reference;
  return '$ref' in target ? resolved(target.$ref.split('/').slice(1)) : [place, target];
}
