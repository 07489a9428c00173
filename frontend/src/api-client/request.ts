import type { FieldError, problemResponse } from '@dune-tide/domain/responses/problem';
import type { Json, Unchecked } from '@dune-tide/domain/responses/schema';
import { formTokenHeader } from '@dune-tide/domain/spam';
import type { BaseQueryFn } from '@reduxjs/toolkit/query';

/** A read: its url is the key's segments joined with slashes. */
export interface Read {
  readonly key: readonly (string | number)[];
  /** What a 401 means: an error, or that there is nothing to read (`null`). */
  readonly on401?: 'error' | 'nothing';
}

/** A call that changes something. */
export interface Write {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly body?: unknown;
  /** The same for each try of a form with the same content, so that a second try makes no second lead. */
  readonly idempotencyKey?: string;
  /** What tells how long ago the form was first touched. */
  readonly formToken?: string;
  /** The version that the change is made for; the server refuses it with a 412 when there is another by now. */
  readonly version?: number;
}

/** Why a request failed. */
export interface RequestFailure {
  /** `refused`: the server said no; `unreachable`: no answer came; `timeout`: none in time; `unreadable`: not JSON. */
  readonly code: 'refused' | 'unreachable' | 'timeout' | 'unreadable';
  readonly status?: number;
  /** For a refusal the status, a colon, a space and the body's text or the status text. */
  readonly message: string;
  /** The broken rules that a 422 names. */
  readonly fieldErrors: readonly FieldError[];
  /** When to try again, in seconds, where the server says so. */
  readonly retryAfter?: number;
}

/** What comes with an answer besides its data. */
export interface AnswerMeta {
  readonly headers: Headers;
}

/** Without an answer that says no a call may have done its work, and whoever gives up should see it. */
export function mayBeDone(error: RequestFailure | undefined): boolean {
  return error?.code !== 'refused' || (error.status ?? 0) >= 500;
}

/** Whether something thrown is the failure of a request. */
export function isRequestFailure(error: unknown): error is RequestFailure {
  return typeof error === 'object' && error !== null && 'code' in error && 'fieldErrors' in error;
}

/**
 * RTK Query's transport. It knows no screen: toasts and redirects are made above it.
 * @param options.origin - what stands before the urls; nothing in the browser
 * @param options.timeout - how long a request may take, in milliseconds
 * @param options.onUnauthorized - told of each call that is refused for lack of a session
 */
export function requestBaseQuery(options: {
  readonly origin: string;
  readonly timeout: number;
  readonly onUnauthorized?: () => void;
}): BaseQueryFn<Read | Write, unknown, RequestFailure, object, AnswerMeta> {
  return async (call, { signal }) => {
    // By hand rather than with AbortSignal.any, which phones of 2023 lack.
    const ending = new AbortController();
    let hasTimedOut = false;
    const timer = setTimeout(() => {
      hasTimedOut = true;
      ending.abort();
    }, options.timeout);
    const endWithCaller = () => ending.abort();
    signal.addEventListener('abort', endWithCaller);
    try {
      const response = await fetch(request(call, options.origin, ending.signal));
      const text = await response.text();
      if (response.ok) return { ...readAnswer(response.status, text), meta: { headers: response.headers } };
      if (response.status === 401 && 'key' in call && call.on401 === 'nothing') return { data: null };
      if (response.status === 401) options.onUnauthorized?.();
      return { error: refusal(response, text) };
    } catch (error) {
      // fetch rejects for lack of an answer only: a broken connection, or the end of the time or of the caller.
      const message = error instanceof Error ? error.message : String(error);
      return { error: { code: hasTimedOut ? 'timeout' : 'unreachable', message, fieldErrors: [] } };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', endWithCaller);
    }
  };
}

function request(call: Read | Write, origin: string, signal: AbortSignal): Request {
  if ('key' in call) return new Request(origin + call.key.join('/'), { credentials: 'include', signal });
  const headers = new Headers();
  if (call.body !== undefined) headers.set('Content-Type', 'application/json');
  if (call.idempotencyKey !== undefined) headers.set('Idempotency-Key', call.idempotencyKey);
  if (call.formToken !== undefined) headers.set(formTokenHeader, call.formToken);
  if (call.version !== undefined) headers.set('If-Match', `"${call.version}"`);
  const body = call.body === undefined ? null : JSON.stringify(call.body);
  return new Request(origin + call.url, { method: call.method, headers, body, credentials: 'include', signal });
}

function readAnswer(status: number, text: string): { data: unknown } | { error: RequestFailure } {
  if (text === '') return { data: null };
  const data = parse(text);
  if (data !== undefined) return { data };
  return { error: { code: 'unreadable', status, message: `${status}: the answer is not JSON`, fieldErrors: [] } };
}

function refusal(response: Response, text: string): RequestFailure {
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return {
    code: 'refused',
    status: response.status,
    message: `${response.status}: ${text || response.statusText}`,
    fieldErrors: response.status === 422 ? fieldErrorsOf(parse(text)) : [],
    ...(Number.isFinite(retryAfter) && { retryAfter }),
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
