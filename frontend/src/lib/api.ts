import { createApi } from '@reduxjs/toolkit/query/react';
import { requestTimeout } from './constants.ts';
import { requestBaseQuery } from './request.ts';
import { announceUnauthorized } from './unauthorized.ts';

/** The one API of the site; each feature injects its endpoints. What was read never goes stale (specification §9). */
export const api = createApi({
  reducerPath: 'api',
  baseQuery: requestBaseQuery({ origin: '', timeout: requestTimeout, onUnauthorized: announceUnauthorized }),
  keepUnusedDataFor: Number.POSITIVE_INFINITY,
  refetchOnFocus: false,
  refetchOnReconnect: false,
  refetchOnMountOrArgChange: false,
  endpoints: () => ({}),
});
