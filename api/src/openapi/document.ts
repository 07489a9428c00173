import { brand } from '@dune-tide/domain/brand';
import { passwordFreshMinutes } from '@dune-tide/domain/limits';
import { string, uuid, type JsonSchema } from '@dune-tide/domain/responses/schema';
import { isApiPath } from '../http/errors/unmatched.ts';
import {
  problemResponses,
  problemStatuses,
  problemTitle,
  type ProblemStatus,
} from '../http/errors/problem-responses.ts';
import type { ResponseDescription, ResponseHeaders } from '../http/response-description.ts';
import { idParameters, type Route } from '../http/route.ts';

/** The parts of OpenAPI 3.1 that this document uses. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly responses: Readonly<Record<string, ResponseObject>>;
    readonly headers: Readonly<Record<string, HeaderObject>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
}

export type PathItem = Readonly<Record<string, OperationObject>>;

export interface OperationObject {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly ParameterObject[];
  readonly requestBody?: {
    readonly required: true;
    readonly content: { readonly 'application/json': { readonly schema: Reference | AnyOf } };
  };
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>;
}

interface AnyOf {
  readonly anyOf: readonly Reference[];
}

export interface ParameterObject {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
}

export interface ResponseObject {
  readonly description: string;
  readonly headers: Readonly<Record<string, HeaderObject | Reference>>;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

export interface HeaderObject {
  readonly description: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
}

export interface Reference {
  readonly $ref: string;
}

const introduction = `
The API of ${brand.name} for its site and its staff area.

- Before validation, texts are trimmed and blank fields are removed. A field with a \`default\` may be missing. Unknown
  fields are ignored. \`messages\` has the error message for each rule.
- Under \`/api\`, a path that is not described here returns the response \`${responseName(404)}\`, and a method that is
  not described returns \`${responseName(405)}\`. Under \`/api/admin\`, every call except the sign-in needs a session,
  which is checked first.
- HEAD returns the headers of GET without the body.
- Responses must not be cached.
`.trim();

/** The headers of every response of the API. */
export const sharedHeaders: ResponseHeaders = {
  'X-Request-Id': { description: 'Identifies the request in the log.', schema: uuid },
  'Cache-Control': { description: 'The response must not be cached.', schema: { const: 'no-store' } },
};

/**
 * Returns the description of the API in OpenAPI 3.1. It uses the same schemas that validate the bodies and that give
 * the responses their types.
 * @param sessionCookie - the name of the session cookie
 */
export function openApiDocument(routes: readonly Route[], sessionCookie: string): OpenApiDocument {
  const schemas: Record<string, object> = {};

  /** Adds a schema to the components and returns a reference to it. */
  function component(name: string, schema: object): Reference {
    if ((schemas[name] ??= schema) !== schema) throw new Error(`Two schemas have the name ${name}`);
    return { $ref: `#/components/schemas/${name}` };
  }

  const placed = (schema: JsonSchema): object =>
    schema.title === undefined ? schema : component(schema.title, schema);

  const content = (schema: JsonSchema): object =>
    schema.type === 'array' && typeof schema.items === 'object' && !Array.isArray(schema.items)
      ? { ...schema, items: placed(schema.items as JsonSchema) }
      : placed(schema);

  function responseObject(response: ResponseDescription): ResponseObject {
    const { schema, mediaType = 'application/json' } = response;
    return {
      description: response.description,
      headers: {
        ...Object.fromEntries(
          Object.keys(sharedHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
        ),
        ...headerObjects(response.headers ?? {}),
      },
      ...(schema && { content: { [mediaType]: { schema: content(schema) } } }),
    };
  }

  function operationObject(route: Route): OperationObject {
    const parameters = parametersOf(route);
    const [body, ...otherBodies] = (route.body?.schemas ?? []).map((form) => component(form.$id, form));
    return {
      operationId: operationId(route),
      summary: route.summary,
      ...(descriptionOf(route) !== '' && { description: descriptionOf(route) }),
      ...(needsSession(route) && { security: [{ session: [] }] }),
      ...(parameters.length > 0 && { parameters }),
      ...(body && {
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: otherBodies.length === 0 ? body : { anyOf: [body, ...otherBodies] } },
          },
        },
      }),
      responses: {
        ...Object.fromEntries(
          problemsOf(route).map((status) => [status, { $ref: `#/components/responses/${responseName(status)}` }]),
        ),
        ...Object.fromEntries(
          Object.entries(route.responses).map(([status, response]) => [status, responseObject(response)]),
        ),
      },
    };
  }

  const paths: Record<string, PathItem> = {};
  for (const route of routes) {
    const path = openApiPath(route);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationObject(route) };
  }
  return {
    openapi: '3.1.1',
    info: { title: brand.name, version: '1', description: introduction },
    paths,
    components: {
      schemas,
      responses: Object.fromEntries(
        problemStatuses.map((status) => [responseName(status), responseObject(problemResponses[status])]),
      ),
      headers: headerObjects(sharedHeaders),
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: sessionCookie,
          description: `The sign-in sets this cookie, with its signature in \`${sessionCookie}.sig\`.`,
        },
      },
    },
  };
}

/** Returns the name of a problem in the components, e.g. `NotFound`. */
function responseName(status: ProblemStatus): string {
  return problemTitle(status).replaceAll(' ', '');
}

/** Returns a path with its parameters in braces. */
function openApiPath({ path }: Route): string {
  return path.replaceAll(/\{?[:*](\w+)\}?/g, '{$1}');
}

/** Returns the id of an operation, e.g. `patchAdminTeamId`. */
function operationId({ method, path }: Route): string {
  const words = path.replace(/^\/api\b/, '').match(/[a-z]+/gi) ?? [];
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

const needsSession = ({ access }: Route): boolean => access === 'member' || access === 'owner';

/** Returns the description of a call, with what the table of staff calls asks for. */
function descriptionOf({ access, needsFreshPassword = false, auditedAs = [], description }: Route): string {
  const actions = [auditedAs].flat();
  return [
    ...(description === undefined ? [] : [description]),
    ...(access === 'owner' ? ['Only an owner can make this call.'] : []),
    ...(needsFreshPassword ? [`Needs a password that was entered within ${passwordFreshMinutes} minutes.`] : []),
    ...(actions.length > 0 ? [`The audit log records it as ${actions.join(' or ')}.`] : []),
  ].join(' ');
}

/** Returns the problems of a call and those that all calls of its kind share. */
export function problemsOf(route: Route): ProblemStatus[] {
  const shared: ProblemStatus[] = [
    ...(needsSession(route) ? ([401, 403, 503] as const) : []),
    ...(route.method === 'GET' || !isApiPath(route.path) ? [] : ([403] as const)),
    ...(route.body ? ([400, 413, 415, 422] as const) : []),
  ];
  return [...new Set([...shared, ...(route.problems ?? [])])].toSorted((a, b) => a - b);
}

function parametersOf(route: Route): ParameterObject[] {
  const ofPath = [...openApiPath(route).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    in: 'path' as const,
    name,
    required: true,
    schema: idParameters.has(name) ? uuid : string,
  }));
  const ofQuery = Object.entries(route.query ?? {}).map(([name, { description, isRequired = false, schema }]) => ({
    in: 'query' as const,
    name,
    description,
    required: isRequired,
    schema,
  }));
  const ofHeaders = Object.entries(route.headers ?? {}).map(([name, { description, schema }]) => ({
    in: 'header' as const,
    name,
    description,
    required: false,
    schema,
  }));
  return [...ofPath, ...ofQuery, ...ofHeaders];
}

function headerObjects(headers: ResponseHeaders): Record<string, HeaderObject> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, { isOptional = false, ...rest }]) => [
      name,
      { ...rest, required: !isOptional },
    ]),
  );
}
