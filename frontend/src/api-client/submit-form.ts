import type { storedLeadResponse } from '@dune-tide/domain/responses/lead';
import type { Json } from '@dune-tide/domain/responses/schema';
import { honeypotField } from '@dune-tide/domain/spam';
import type { Call } from './request.ts';

/** The fields that a public form sends besides those of the visitor. */
export interface Submission {
  readonly idempotencyKey: string;
  readonly formToken: string | undefined;
  /** The value of the hidden field that only programs fill in. */
  readonly honeypot: string;
}

/** The response to a public form. */
export type StoredLead = Json<typeof storedLeadResponse>;

/**
 * Returns the request that sends a public form.
 * @param fields - in the shape that the API accepts
 */
export function formPost(url: string, fields: object, { idempotencyKey, formToken, honeypot }: Submission): Call {
  return {
    method: 'POST',
    url,
    body: honeypot === '' ? fields : { ...fields, [honeypotField]: honeypot },
    idempotencyKey,
    ...(formToken !== undefined && { formToken }),
  };
}
