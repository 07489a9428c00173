import { STATUS_CODES, type IncomingMessage } from 'node:http';
import { Problem, problemText, problemType } from '../errors/problem.ts';

/**
 * Returns the path and query of a request target (RFC 9112 §3.2). Node accepts any word as a target, but Koa throws on
 * a target without a path, and its URL parser throws on absolute URLs and forbidden characters.
 * @returns undefined if the target has no path
 */
export function originForm(target: string): string | undefined {
  if (/[^!-~]|#/.test(target)) return undefined;
  if (target.startsWith('/') || target === '*') return target;
  if (!/^https?:/i.test(target) || !URL.canParse(target)) return undefined;
  const { pathname, search } = new URL(target);
  return pathname + search;
}

/**
 * A host with an optional port and without a user name (RFC 9110 §7.2): an address in brackets, or a name (RFC 3986
 * §3.2.2).
 */
const validHost = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d{0,5})?$/i;

/**
 * Finds requests that Node accepts and that a proxy may have parsed differently (request smuggling).
 * @returns the status of RFC 9112: 400 for a missing, repeated or invalid Host (§3.2) and for a transfer coding in
 *   HTTP/1.0 (§6.1), 501 for a transfer coding other than chunked (§6.1); undefined if the request is fine
 */
export function framingFault({ headers, rawHeaders, httpVersion }: IncomingMessage): number | undefined {
  // rawHeaders has names and values alternately. `headersDistinct` would parse every header of every request.
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  if (hosts.length > 1 || (hosts.length === 0 && httpVersion === '1.1')) return 400;
  if (headers.host !== undefined && !validHost.test(headers.host)) return 400;
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return undefined;
  if (httpVersion !== '1.1') return 400;
  return coding.toLowerCase() === 'chunked' ? undefined : 501;
}

/** Returns the status for an error of Node's parser, the same that Node itself would send. */
export function parserFault({ code }: NodeJS.ErrnoException): number {
  if (code === 'HPE_HEADER_OVERFLOW') return 431;
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return 413;
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
}

/**
 * Returns a problem in the form that the application itself would send.
 * @param security - the headers of every response of the API
 */
export function refusal(status: number, security: ReadonlyMap<string, string>) {
  const text = problemText(new Problem(status));
  const headers = {
    ...Object.fromEntries(security),
    'Content-Type': problemType,
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    Connection: 'close',
  };
  return { headers, text };
}

/** Returns the whole response as text, for a socket on which Node could not parse a request. */
export function writtenRefusal(status: number, security: ReadonlyMap<string, string>): string {
  const { headers, text } = refusal(status, security);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`;
}
