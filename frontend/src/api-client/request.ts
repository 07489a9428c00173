import {
  problemTypes,
  type FieldError,
  type problemResponse,
  type ProblemType,
} from '@dune-tide/domain/responses/problem';
import type { Json, Unchecked } from '@dune-tide/domain/responses/schema';
import { formTokenHeader } from '@dune-tide/domain/spam';
import type { BaseQueryFn } from '@reduxjs/toolkit/query';
import { measureServerClock } from './server-clock.ts';

/** A call of the API. */
export interface Call {
  /** Without it, the call reads. */
  readonly method?: 'POST' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly body?: unknown;
  /** The same for each attempt to send the same form content, so that a retry does not store a second lead. */
  readonly idempotencyKey?: string;
  /** Proves how long ago the visitor first touched the form. */
  readonly formToken?: string;
  /** The version that the change applies to. If the stored version differs, the server responds with 412. */
  readonly version?: number;
}

/** The reason for a failed request. */
export interface RequestFailure {
  /** `refused`: an error status; `unreachable`: no response; `timeout`: no response in time; `unreadable`: not JSON. */
  readonly code: 'refused' | 'unreachable' | 'timeout' | 'unreadable';
  readonly status?: number;
  /** For `refused`: the status, a colon, a space, then the response's body or its status text. */
  readonly message: string;
  /** The broken rules that a 422 response lists. */
  readonly fieldErrors: readonly FieldError[];
  /** The seconds of `Retry-After`, if the response has it. */
  readonly retryAfter?: number;
  /** The type of the problem, if it is one of `problemTypes`. */
  readonly type?: ProblemType;
  /** The limit, in a sentence, for the type `limit_reached`. */
  readonly limit?: string;
}

/** The part of a response that callers need besides its data. */
export interface ResponseMeta {
  readonly headers: Headers;
}

/** Returns whether a failed call may have taken effect, e.g. because only its response was lost. */
export function mayBeDone(error: RequestFailure | undefined): boolean {
  return error?.code !== 'refused' || (error.status ?? 0) >= 500;
}

/** Returns whether a thrown value is the failure of a request. */
export function isRequestFailure(error: unknown): error is RequestFailure {
  return typeof error === 'object' && error !== null && 'code' in error && 'fieldErrors' in error;
}

/**
 * RTK Query's transport. Toasts and redirects are handled by its callers.
 * @param options.origin - prefix of the URLs; empty in the browser
 * @param options.timeout - time limit of a request, in milliseconds
 * @param options.onUnauthorized - called for each call that fails with a 401
 */
export function requestBaseQuery(options: {
  readonly origin: string;
  readonly timeout: number;
  readonly onUnauthorized?: () => void;
}): BaseQueryFn<Call, unknown, RequestFailure, object, ResponseMeta> {
  return async (call, { signal }) => {
    // `AbortSignal.any` is missing on phones from 2023.
    const ending = new AbortController();
    let hasTimedOut = false;
    const timer = setTimeout(() => {
      hasTimedOut = true;
      ending.abort();
    }, options.timeout);
    const endWithCaller = () => ending.abort();
    signal.addEventListener('abort', endWithCaller);
    try {
      const sentAt = Date.now();
      const response = await fetch(request(call, options.origin, ending.signal));
      measureServerClock(response.headers.get('Date'), sentAt);
      const text = await response.text();
      if (response.ok) return { ...readResponse(response.status, text), meta: { headers: response.headers } };
      if (response.status === 401) options.onUnauthorized?.();
      return { error: refusal(response, text) };
    } catch (error) {
      // `fetch` rejects only without a response: the connection broke, the time ran out, or the caller aborted.
      const message = error instanceof Error ? error.message : String(error);
      return { error: { code: hasTimedOut ? 'timeout' : 'unreachable', message, fieldErrors: [] } };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', endWithCaller);
    }
  };
}

function request(call: Call, origin: string, signal: AbortSignal): Request {
  const headers = new Headers();
  if (call.body !== undefined) headers.set('Content-Type', 'application/json');
  if (call.idempotencyKey !== undefined) headers.set('Idempotency-Key', call.idempotencyKey);
  if (call.formToken !== undefined) headers.set(formTokenHeader, call.formToken);
  if (call.version !== undefined) headers.set('If-Match', `"${call.version}"`);
  const body = call.body === undefined ? null : JSON.stringify(call.body);
  return new Request(origin + call.url, {
    method: call.method ?? 'GET',
    headers,
    body,
    credentials: 'include',
    signal,
  });
}

function readResponse(status: number, text: string): { data: unknown } | { error: RequestFailure } {
  if (text === '') return { data: null };
  const data = parse(text);
  if (data !== undefined) return { data };
  return { error: { code: 'unreadable', status, message: `${status}: the response is not JSON`, fieldErrors: [] } };
}

/** Returns the failure of a response with an error status. */
export function refusal(response: Response, text: string): RequestFailure {
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return {
    code: 'refused',
    status: response.status,
    message: `${response.status}: ${text || response.statusText}`,
    fieldErrors: response.status === 422 ? fieldErrorsOf(parse(text)) : [],
    ...(Number.isFinite(retryAfter) && { retryAfter }),
    ...typeOf(parse(text)),
  };
}

/** @returns undefined for text that is not JSON */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function typeOf(problem: unknown): Pick<RequestFailure, 'type' | 'limit'> {
  if (typeof problem !== 'object' || problem === null) return {};
  const { type: uri, detail }: Unchecked<Json<typeof problemResponse>> = problem;
  const type = (Object.keys(problemTypes) as ProblemType[]).find((each) => problemTypes[each] === uri);
  if (type === undefined) return {};
  return type === 'limit_reached' && typeof detail === 'string' ? { type, limit: detail } : { type };
}

function fieldErrorsOf(problem: unknown): FieldError[] {
  if (typeof problem !== 'object' || problem === null) return [];
  const { errors }: Unchecked<Json<typeof problemResponse>> = problem;
  return Array.isArray(errors) ? errors.filter(isFieldError) : [];
}

function isFieldError(value: unknown): value is FieldError {
  if (typeof value !== 'object' || value === null) return false;
  const { field, message }: Unchecked<FieldError> = value;
  return typeof field === 'string' && typeof message === 'string';
}
