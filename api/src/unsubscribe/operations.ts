import { string, wholeNumber } from '@dune-tide/domain/responses/schema';
import { unsubscribePath } from '@dune-tide/platform/unsubscribe-tokens';
import type { ResponseDescription } from '../http/response-description.ts';
import type { Operation } from '../http/operation.ts';

const path = `${unsubscribePath}/{token}`;
const page = (description: string): ResponseDescription => ({ description, mediaType: 'text/html', schema: string });
const later = (description: string): ResponseDescription => ({
  ...page(description),
  headers: { 'Retry-After': { description: 'Seconds to wait before a retry.', schema: wholeNumber } },
});
const failures = {
  404: page('A page: no key has signed the token, or its email does not exist.'),
  429: later('A page: too many requests from this address.'),
  503: later('A page: the database is unavailable.'),
};

export const unsubscribeOperations: readonly Operation[] = [
  {
    method: 'get',
    path,
    summary: 'Returns the page behind the link “I did not request this” of an email',
    answers: { 200: page('A page with a button that sends the POST.'), ...failures },
  },
  {
    method: 'post',
    path,
    summary: 'Stops automatic emails to the mailbox of an email',
    description: 'Also the one-click request of RFC 8058. The body is ignored, and any origin is accepted.',
    answers: { 200: page('A page: the mailbox is opted out.'), ...failures },
  },
];
