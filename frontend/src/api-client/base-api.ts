import { createApi, retry } from '@reduxjs/toolkit/query/react';
import { askForPassword } from './password-needed.ts';
import { requestTimeout } from './request-timeout.ts';
import { requestBaseQuery } from './request.ts';
import { announceUnauthorized } from './unauthorized.ts';

const sendRequest = requestBaseQuery({ origin: '', timeout: requestTimeout, onUnauthorized: announceUnauthorized });

/** Sends a request. If only owners may make the call, the account may have another role now, which is loaded again. */
const request: typeof sendRequest = async (call, context, options) => {
  const result = await sendRequest(call, context, options);
  if (result.error?.type === 'owner_needed') context.dispatch(api.util.invalidateTags(['Session']));
  return result;
};

/** Repeats a call that needs the password once the user has entered it (docs/PRODUCT.md, "Fresh password"). */
const requestWithPassword: typeof request = async (call, context, options) => {
  const result = await request(call, context, options);
  const isRepeated = result.error?.type === 'password_needed' && (await askForPassword());
  return isRepeated ? request(call, context, options) : result;
};

/**
 * The site's API. Each feature injects its endpoints. Cached responses never expire, and a request is retried only if
 * its endpoint enables it (docs/PRODUCT.md, "Fresh data").
 */
export const api = createApi({
  reducerPath: 'api',
  baseQuery: retry(requestWithPassword, { maxRetries: 0 }),
  keepUnusedDataFor: Number.POSITIVE_INFINITY,
  refetchOnFocus: false,
  refetchOnReconnect: false,
  refetchOnMountOrArgChange: false,
  tagTypes: ['Session'],
  endpoints: () => ({}),
});
