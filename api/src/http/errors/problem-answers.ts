import { STATUS_CODES } from 'node:http';
import { maxBodyBytes } from '@dune-tide/domain/limits';
import { problemResponse } from '@dune-tide/domain/responses/problem';
import { string, wholeNumber } from '@dune-tide/domain/responses/schema';
import type { ResponseDescription, ResponseHeaders } from '../response-description.ts';

const retryAfter: ResponseHeaders = {
  'Retry-After': { description: 'The seconds after which another try makes sense.', schema: wholeNumber },
};

/** What each problem means, and the headers that come with it. */
const meanings = {
  400: { description: 'It cannot be read: JSON, text, a header or an address is malformed.' },
  401: { description: 'Nobody is signed in. To a sign-in: the username or the password is wrong.' },
  403: { description: 'A browser sent it from another site.' },
  404: { description: 'Nothing is there.' },
  405: {
    description: 'The path takes other methods.',
    headers: { Allow: { description: 'The methods that it takes.', schema: string } },
  },
  409: { description: 'The present state does not allow it.' },
  412: { description: 'It was changed since the version that If-Match names.' },
  413: { description: `The body is over ${maxBodyBytes / 1024} KiB.` },
  415: {
    description: 'The body is not JSON, or compressed.',
    headers: {
      Accept: { description: 'The media type that it takes.', schema: string, isOptional: true },
      'Accept-Encoding': { description: 'The encoding that it takes.', schema: string, isOptional: true },
    },
  },
  422: { description: 'A rule is broken: `errors` names each field with its message, `detail` anything else.' },
  429: { description: 'Too many requests.', headers: retryAfter },
  503: { description: 'Something that it needs is away for the moment; it may be sent again.', headers: retryAfter },
} as const satisfies Readonly<Record<number, Pick<ResponseDescription, 'description' | 'headers'>>>;

export type ProblemStatus = keyof typeof meanings;

/** Every problem that a call may answer. */
export const problemStatuses = Object.keys(meanings).map(Number) as ProblemStatus[];

/** As the problem itself has it, e.g. `Not Found`. */
export function problemTitle(status: ProblemStatus): string {
  return STATUS_CODES[status] ?? '';
}

/** A problem of one status. */
export function problemAnswer(status: ProblemStatus): ResponseDescription {
  // Each status has a schema of its own, so the common title would not be unique in the document.
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
