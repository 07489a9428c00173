import { STATUS_CODES } from 'node:http';
import { maxBodyBytes } from '@dune-tide/domain/limits';
import { problemResponse } from '@dune-tide/domain/responses/problem';
import { string, wholeNumber } from '@dune-tide/domain/responses/schema';
import type { ResponseDescription, ResponseHeaders } from '../response-description.ts';

/** The header of a response that tells when to retry. */
export const retryAfter: ResponseHeaders = {
  'Retry-After': { description: 'Seconds to wait before a retry.', schema: wholeNumber },
};

/** The meaning and the headers of each problem. */
const meanings = {
  400: { description: 'The request is malformed: its JSON, a text, a header or an address.' },
  401: { description: 'The caller is not signed in. From the sign-in: the username or the password is wrong.' },
  403: {
    description:
      'A browser sent the request from another site; or, as `type` tells, the account must first enter its password again or change it.',
  },
  404: { description: 'The resource does not exist.' },
  405: {
    description: 'The path does not support the method.',
    headers: { Allow: { description: 'The supported methods.', schema: string } },
  },
  409: { description: 'The current state does not allow the change.' },
  412: { description: 'The resource has changed since the version in If-Match.' },
  413: { description: `The body is larger than ${maxBodyBytes / 1024} KiB.` },
  415: {
    description: 'The body is not JSON, or it is compressed.',
    headers: {
      Accept: { description: 'The supported media type.', schema: string, isOptional: true },
      'Accept-Encoding': { description: 'The supported encoding.', schema: string, isOptional: true },
    },
  },
  422: {
    description: 'A value is invalid. `errors` has each field with its message; `detail` describes any other error.',
  },
  429: { description: 'Too many requests.', headers: retryAfter },
  503: {
    description: 'A part that the request needs is unavailable. The request can be retried.',
    headers: retryAfter,
  },
} as const satisfies Readonly<Record<number, Pick<ResponseDescription, 'description' | 'headers'>>>;

export type ProblemStatus = keyof typeof meanings;

/** Every problem status of the API. */
export const problemStatuses = Object.keys(meanings).map(Number) as ProblemStatus[];

/** Returns the title of a problem, e.g. `Not Found`. */
export function problemTitle(status: ProblemStatus): string {
  return STATUS_CODES[status] ?? '';
}

/** The description of each problem. */
export const problemResponses = Object.fromEntries(
  problemStatuses.map((status) => [status, describeProblem(status)]),
) as Readonly<Record<ProblemStatus, ResponseDescription>>;

function describeProblem(status: ProblemStatus): ResponseDescription {
  // Each status has its own schema, so the shared schema title would not be unique in the document.
  const { title: _title, properties, ...schema } = problemResponse;
  const { errors, ...others } = properties;
  return {
    ...meanings[status],
    mediaType: 'application/problem+json',
    schema: {
      ...schema,
      properties: {
        ...others,
        title: { const: problemTitle(status) },
        status: { const: status },
        ...(status === 422 && { errors }),
      },
    },
  };
}
