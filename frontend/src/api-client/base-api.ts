import { createApi, retry } from '@reduxjs/toolkit/query/react';
import { requestTimeout } from './request-timeout.ts';
import { requestBaseQuery } from './request.ts';
import { announceUnauthorized } from './unauthorized.ts';

const request = requestBaseQuery({ origin: '', timeout: requestTimeout, onUnauthorized: announceUnauthorized });

/**
 * The one API of the site; each feature injects its endpoints. What was read never goes stale, and nothing is tried
 * again unless an endpoint says so (docs/PRODUCT.md, "Fresh data").
 */
export const api = createApi({
  reducerPath: 'api',
  baseQuery: retry(request, { maxRetries: 0 }),
  keepUnusedDataFor: Number.POSITIVE_INFINITY,
  refetchOnFocus: false,
  refetchOnReconnect: false,
  refetchOnMountOrArgChange: false,
  endpoints: () => ({}),
});
