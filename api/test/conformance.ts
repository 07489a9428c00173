import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isApiPath } from '../src/http/api-answers.ts';
import type { ProblemStatus } from '../src/openapi/problem-answers.ts';
import {
  openApiDocument,
  responseName,
  type HeaderObject,
  type OperationObject,
  type Reference,
  type ResponseObject,
} from '../src/openapi/document.ts';
import { isStaffPath } from '../src/staff/paths.ts';
import type { Answer } from './support.ts';

/** An answer is not as the API's own description has it. */
export class NonconformingAnswerError extends Error {
  override readonly name = 'NonconformingAnswerError';
}

/** What the tests take the API at its word by; the cookie's name decides nothing here. */
export const description = openApiDocument('session');

const ajv = new Ajv2020({ strict: true, allErrors: true }).addVocabulary([
  'messages',
  // The document as a whole is no schema, but holds them.
  'openapi',
  'info',
  'paths',
  'components',
]);
addFormats.default(ajv);
ajv.addSchema(description, 'description');

/** The patterns of the described paths, in any letters and with or without a slash at the end, as routes are found. */
const patterns = Object.keys(description.paths).map((path) => {
  const source = path
    .replaceAll('.', '\\.')
    .replace('{rest}', '.*')
    .replaceAll(/\{\w+\}/g, '[^/]+');
  return { path, pattern: new RegExp(`^${source}/?$`, 'i') };
});

/**
 * Holds an answer against the API's description: its status, its headers, its content type and its body. Pages of the
 * site, and what the HTTP server says by itself, are not described.
 * @param target - the path as it was sent, with its query
 * @throws {NonconformingAnswerError}
 */
export function expectConforming(method: string, target: string, answer: Answer): void {
  const path = target.replace(/[?#].*$/s, '');
  const found = patterns.find(({ pattern }) => pattern.test(path))?.path;
  if (!isApiPath(path) && found === undefined) return;

  const fail = (problem: string): never => {
    const shown = `${method} ${target.slice(0, 200)} was answered ${answer.status} ${answer.text.slice(0, 500)}`;
    throw new NonconformingAnswerError(`${shown}\nIts description (api/src/openapi) says otherwise: ${problem}`);
  };

  const name = (method === 'HEAD' ? 'GET' : method).toLowerCase();
  const operations: Readonly<Record<string, OperationObject>> = (found && description.paths[found]) || {};
  const operation = operations[name];
  if (operation) {
    const response = operation.responses[answer.status];
    if (!response) return fail('the status is not described');
    return expectResponse(`/paths/${escaped(found ?? '')}/${name}/responses/${answer.status}`, response);
  }
  if (!isApiPath(path)) return;
  if (method === 'OPTIONS' && answer.status === 200) {
    if (answer.bytes.length > 0 || answer.headers.allow === undefined) fail('OPTIONS has Allow and no body');
    return;
  }
  const general: ProblemStatus[] = [
    found === undefined ? 404 : 405,
    ...(isStaffPath(path) ? ([401, 503] as const) : []),
    ...(['GET', 'HEAD', 'OPTIONS'].includes(method) ? [] : ([403] as const)),
  ];
  const status = general.find((each) => each === answer.status);
  if (status === undefined) return fail(`what is not described is answered ${general.join(', ')}`);
  return expectResponse('', { $ref: `#/components/responses/${responseName(status)}` });

  function expectResponse(pointer: string, described: ResponseObject | Reference): void {
    const at = '$ref' in described ? described.$ref.slice(1) : pointer;
    const { headers, content } = resolved<ResponseObject>(described);
    for (const [header, reference] of Object.entries(headers)) expectHeader(header, reference, at);
    if (!content) return answer.bytes.length > 0 ? fail('it has no body') : undefined;
    if (method === 'HEAD') return answer.bytes.length > 0 ? fail('HEAD has no body') : undefined;
    const sent = answer.headers['content-type']?.split(';')[0] ?? 'none';
    const mediaType = [sent, '*/*'].find((type) => type in content);
    if (mediaType === undefined) return fail(`the content type ${sent} is not described`);
    if (mediaType === '*/*') return;
    expectValid(
      'the body',
      /\bjson$/.test(mediaType) ? parsed(answer.text) : answer.text,
      `${at}/content/${escaped(mediaType)}/schema`,
    );
  }

  function expectHeader(header: string, described: HeaderObject | Reference, responseAt: string): void {
    const { required, schema } = resolved<HeaderObject>(described);
    const value = answer.headers[header.toLowerCase()];
    if (value === undefined) return required ? fail(`${header} is missing`) : undefined;
    const text = String(value);
    const at = '$ref' in described ? described.$ref.slice(1) : `${responseAt}/headers/${header}`;
    expectValid(header, schema.type === 'integer' && /^\d+$/.test(text) ? Number(text) : text, `${at}/schema`);
  }

  function expectValid(what: string, value: unknown, pointer: string): void {
    const validate = validator(pointer);
    if (validate(value)) return;
    const errors = (validate.errors ?? []).map(({ instancePath, message, params }) =>
      `${instancePath} ${message ?? ''} ${JSON.stringify(params)}`.trim(),
    );
    fail(`${what}: ${errors.join('; ')}`);
  }

  function parsed(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      return fail('the body is no JSON');
    }
  }
}

/** Compiled when first asked for, and kept. */
function validator(pointer: string): ValidateFunction {
  return ajv.getSchema(`description#${pointer}`) ?? missing(pointer);
}

function resolved<Target extends object>(described: Target | Reference): Target {
  if (!('$ref' in described)) return described;
  const [, , kind, name] = described.$ref.split('/');
  const components: Readonly<Record<string, Readonly<Record<string, object>>>> = { ...description.components };
  return (components[kind ?? '']?.[name ?? ''] ?? missing(described.$ref)) as Target;
}

function escaped(key: string): string {
  return encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
}

function missing(pointer: string): never {
  throw new Error(`The description lacks ${pointer}`);
}
