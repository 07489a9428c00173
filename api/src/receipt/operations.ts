import { string, wholeNumber } from '@dune-tide/domain/responses/schema';
import { receiptPath } from '@dune-tide/platform/receipt-tokens';
import type { ResponseDescription } from '../http/response-description.ts';
import type { Operation } from '../http/operation.ts';

const path = `${receiptPath}/{token}`;
const page = (description: string): ResponseDescription => ({ description, mediaType: 'text/html', schema: string });
const later = (description: string): ResponseDescription => ({
  ...page(description),
  headers: { 'Retry-After': { description: 'Seconds to wait before a retry.', schema: wholeNumber } },
});
const failures = {
  404: page('A page: the link is unknown or has expired, or the lead was erased.'),
  429: later('A page: too many requests from this address.'),
  503: later('A page: the database is unavailable.'),
};

export const receiptOperations: readonly Operation[] = [
  {
    method: 'get',
    path,
    summary: 'Returns the page that shows a visitor what they sent',
    answers: { 200: page('A page with the answers, the time and whether they are answered.'), ...failures },
  },
  {
    method: 'get',
    path: `${path}/withdraw`,
    summary: 'Returns the page that asks before a lead is withdrawn',
    answers: { 200: page('A page with a button that sends the POST.'), ...failures },
  },
  {
    method: 'post',
    path: `${path}/withdraw`,
    summary: 'Erases a lead for its visitor',
    description: 'The body is ignored, and any origin is accepted: the token authorises the request.',
    answers: { 200: page('A page: the lead is erased.'), ...failures },
  },
];
