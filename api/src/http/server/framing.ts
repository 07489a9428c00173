import { STATUS_CODES, type IncomingMessage } from 'node:http';
import { Problem, problemText, problemType } from '../errors/problem.ts';

/**
 * Node takes any word for a request target (RFC 9112 §3.2). Koa throws on one without a path, and its URL parser on whole
 * addresses and forbidden characters, so only path and query are passed on.
 * @returns path and query; undefined for what has none
 */
export function originForm(target: string): string | undefined {
  if (/[^!-~]|#/.test(target)) return undefined;
  if (target.startsWith('/') || target === '*') return target;
  if (!/^https?:/i.test(target) || !URL.canParse(target)) return undefined;
  const { pathname, search } = new URL(target);
  return pathname + search;
}

/**
 * Refuses what a proxy before us may have read in another way (request smuggling), and Node lets pass.
 * @returns the status of RFC 9112: 400 for two hosts, for none in HTTP/1.1 (§3.2), and for a coding that HTTP/1.0 does
 *   not know (§6.1), 501 for another one than chunked (§6.1)
 */
export function framingFault({ headers, rawHeaders, httpVersion }: IncomingMessage): number | undefined {
  // Names and values by turns; what Node offers instead takes each header apart, for every lead.
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  if (hosts.length > 1 || (hosts.length === 0 && httpVersion === '1.1')) return 400;
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return undefined;
  if (httpVersion !== '1.1') return 400;
  return coding.toLowerCase() === 'chunked' ? undefined : 501;
}

/** The status for what Node's parser refused, as Node itself would choose it. */
export function parserFault({ code }: NodeJS.ErrnoException): number {
  if (code === 'HPE_HEADER_OVERFLOW') return 431;
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return 413;
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
}

/** A problem, as the application itself would answer. */
export function refusal(status: number) {
  const text = problemText(new Problem(status));
  const headers = {
    'Content-Type': problemType,
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    Connection: 'close',
  };
  return { headers, text };
}

/** The same where there is no request that could be answered. */
export function writtenRefusal(status: number): string {
  const { headers, text } = refusal(status);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`;
}
