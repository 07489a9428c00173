import type { storedLeadResponse } from '@dune-tide/domain/responses/lead';
import type { Json } from '@dune-tide/domain/responses/schema';
import { honeypotField } from '@dune-tide/domain/spam';
import type { Write } from './request.ts';

/** What a try of a public form brings besides its answers. */
export interface Submission {
  readonly idempotencyKey: string;
  readonly formToken: string | undefined;
  /** What stands in the field that nobody sees. */
  readonly honeypot: string;
}

/** The response to a public form. */
export type StoredLead = Json<typeof storedLeadResponse>;

/**
 * How a public form is sent.
 * @param answers - as the API takes them
 */
export function formPost(url: string, answers: object, { idempotencyKey, formToken, honeypot }: Submission): Write {
  return {
    method: 'POST',
    url,
    body: honeypot === '' ? answers : { ...answers, [honeypotField]: honeypot },
    idempotencyKey,
    ...(formToken !== undefined && { formToken }),
  };
}
