import { createApi, retry } from '@reduxjs/toolkit/query/react';
import { requestTimeout } from './request-timeout.ts';
import { requestBaseQuery } from './request.ts';
import { announceUnauthorized } from './unauthorized.ts';

const request = requestBaseQuery({ origin: '', timeout: requestTimeout, onUnauthorized: announceUnauthorized });

/**
 * The site's API. Each feature injects its endpoints. Cached responses never expire, and a request is retried only if
 * its endpoint enables it (docs/PRODUCT.md, "Fresh data").
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
