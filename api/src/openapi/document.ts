import { brand } from '@dune-tide/domain/brand';
import { object, string, uuid, type JsonSchema } from '@dune-tide/domain/responses/schema';
import { followUpOperations } from '../follow-ups/operations.ts';
import { healthOperations } from '../health/operations.ts';
import type { ResponseDescription, ResponseHeaders } from '../http/response-description.ts';
import type { Operation, Parameter } from '../http/operation.ts';
import { announcementOperations } from '../announcements/operations.ts';
import { idParameters } from '../http/requests/resource-id.ts';
import { leadOperations } from '../leads/operations.ts';
import { dashboardOperations } from '../dashboard/operations.ts';
import { queueBoardOperations } from '../queue-board/operations.ts';
import { recipeOperations } from '../recipes/operations.ts';
import { securityTxtOperations } from '../security-txt/operations.ts';
import { authOperations } from '../auth/operations.ts';
import { isSignInPath, isStaffPath } from '../auth/paths.ts';
import { unsubscribeOperations } from '../unsubscribe/operations.ts';
import { peopleOperations } from '../people/operations.ts';
import { receiptOperations } from '../receipt/operations.ts';
import { viewOperations } from '../views/operations.ts';
import { ownAccountOperations } from '../own-account/operations.ts';
import { auditLogOperations } from '../audit-log/operations.ts';
import { secondFactorOperations } from '../second-factor/operations.ts';
import { accountOperations } from '../accounts/operations.ts';
import { isApiPath } from '../http/errors/unanswered.ts';
import { problemAnswer, problemStatuses, problemTitle, type ProblemStatus } from '../http/errors/problem-answers.ts';

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

export type PathItem = Readonly<Partial<Record<Operation['method'], OperationObject>>>;

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
  readonly in: 'path' | Parameter['in'];
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

const description = `
The API of ${brand.name} for its site and its staff area.

- Before validation, texts are trimmed and blank fields are removed. A field with a \`default\` may be missing. Unknown
  fields are ignored. \`messages\` has the error message for each rule.
- Under \`/api\`, a path that is not described here returns the response \`${responseName(404)}\`, and a method that is
  not described returns \`${responseName(405)}\`. Under \`/api/admin\`, every call except the sign-in needs a session,
  which is checked first.
- HEAD returns the headers of GET without the body.
- Responses must not be cached.
`.trim();

/** The headers of every response. */
const everywhere: ResponseHeaders = {
  'X-Request-Id': { description: 'Identifies the request in the log.', schema: uuid },
  'Cache-Control': { description: 'The response must not be cached.', schema: { const: 'no-store' } },
};

const part = { type: 'object' } as const;

const documentOperation: Operation = {
  method: 'get',
  path: '/api/openapi.json',
  summary: 'Returns this description',
  answers: {
    200: {
      description: 'An OpenAPI document.',
      schema: object({ openapi: string, info: part, paths: part, components: part }),
    },
  },
};

const operations: readonly Operation[] = [
  ...leadOperations,
  ...authOperations,
  ...dashboardOperations,
  ...recipeOperations,
  ...viewOperations,
  ...peopleOperations,
  ...accountOperations,
  ...ownAccountOperations,
  ...secondFactorOperations,
  ...auditLogOperations,
  ...followUpOperations,
  ...announcementOperations,
  ...queueBoardOperations,
  ...healthOperations,
  ...securityTxtOperations,
  ...unsubscribeOperations,
  ...receiptOperations,
  documentOperation,
];

/**
 * Returns the description of the API in OpenAPI 3.1. It uses the same schemas that validate the bodies and that give
 * the responses their types.
 * @param sessionCookie - the name of the session cookie
 */
export function openApiDocument(sessionCookie: string): OpenApiDocument {
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

  function response(answer: ResponseDescription): ResponseObject {
    const { schema, mediaType = 'application/json' } = answer;
    return {
      description: answer.description,
      headers: {
        ...Object.fromEntries(Object.keys(everywhere).map((name) => [name, { $ref: `#/components/headers/${name}` }])),
        ...headerObjects(answer.headers ?? {}),
      },
      ...(schema && { content: { [mediaType]: { schema: content(schema) } } }),
    };
  }

  function operationObject(operation: Operation): OperationObject {
    const parameters = parametersOf(operation);
    const [body, ...otherBodies] = (operation.body ?? []).map((form) => component(form.$id, form));
    return {
      operationId: operationId(operation),
      summary: operation.summary,
      ...(operation.description !== undefined && { description: operation.description }),
      ...(needsSession(operation) && { security: [{ session: [] }] }),
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
          problemsOf(operation).map((status) => [status, { $ref: `#/components/responses/${responseName(status)}` }]),
        ),
        ...Object.fromEntries(Object.entries(operation.answers).map(([status, answer]) => [status, response(answer)])),
      },
    };
  }

  const paths: Record<string, PathItem> = {};
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: operationObject(operation) };
  }
  return {
    openapi: '3.1.1',
    info: { title: brand.name, version: '1', description },
    paths,
    components: {
      schemas,
      responses: Object.fromEntries(
        problemStatuses.map((status) => [responseName(status), response(problemAnswer(status))]),
      ),
      headers: headerObjects(everywhere),
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
export function responseName(status: ProblemStatus): string {
  return problemTitle(status).replaceAll(' ', '');
}

/** Returns the id of an operation, e.g. `patchAdminTeamId`. */
function operationId({ method, path }: Operation): string {
  const words = path.replace(/^\/api\b/, '').match(/[a-z]+/gi) ?? [];
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function needsSession({ path }: Operation): boolean {
  return isStaffPath(path) && !isSignInPath(path);
}

/** Returns the problems of an operation and those that all calls of its kind share. */
function problemsOf(operation: Operation): ProblemStatus[] {
  const shared: ProblemStatus[] = [
    ...(needsSession(operation) ? ([401, 403, 503] as const) : []),
    ...(operation.method === 'get' || !isApiPath(operation.path) ? [] : ([403] as const)),
    ...(operation.body ? ([400, 413, 415, 422] as const) : []),
  ];
  return [...new Set([...shared, ...(operation.problems ?? [])])].toSorted((a, b) => a - b);
}

function parametersOf({ path, parameters = [] }: Operation): ParameterObject[] {
  const ofPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    in: 'path' as const,
    name,
    required: true,
    schema: idParameters.some((each) => each === name) ? uuid : string,
  }));
  return [...ofPath, ...parameters.map(({ isRequired = false, ...rest }) => ({ ...rest, required: isRequired }))];
}

function headerObjects(headers: ResponseHeaders): Record<string, HeaderObject> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, { isOptional = false, ...rest }]) => [
      name,
      { ...rest, required: !isOptional },
    ]),
  );
}
