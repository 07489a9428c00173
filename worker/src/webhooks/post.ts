import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { addressIn, isPrivateHost, reachOf } from '@dune-tide/platform/webhook-url';

/** A receiver's response, or the part of it that has arrived. */
export interface PostResponse {
  readonly status: number;
  /** The start of the body. */
  readonly text: string;
  /** The headers `Retry-After` and `Date`. */
  readonly retryAfter: string | undefined;
  readonly date: string | undefined;
}

/** Thrown if the name of the receiver leads to an address to which webhooks must not go. Nothing was sent. */
export class RefusedAddressError extends Error {
  override readonly name = 'RefusedAddressError';
  readonly code = 'REFUSED_ADDRESS';

  constructor(address: string, isWantedPrivate: boolean) {
    super(`The receiver has the ${isWantedPrivate ? 'public' : 'private or reserved'} address ${address}`);
  }
}

class PostTimeoutError extends Error {
  override readonly name = 'PostTimeoutError';
  readonly code = 'ETIMEDOUT';

  constructor(limitMs: number) {
    super(`No response within ${limitMs} ms`);
  }
}

/** Thrown if the connection failed. */
export class PostError extends Error {
  override readonly name = 'PostError';
  /** Whether the receiver may have got the request. */
  readonly wasConnected: boolean;

  /** @param cause - the error of Node.js */
  constructor(wasConnected: boolean, cause: unknown) {
    super(wasConnected ? 'The connection to the receiver broke' : 'The receiver could not be reached', { cause });
    this.wasConnected = wasConnected;
  }
}

/** The part of a response's body that is read. */
const readBytes = 1_024;

/** Looks up all addresses of a name, as `dns.lookup` does. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface PostOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The time limit for everything, in milliseconds. */
  readonly limitMs: number;
  /** Certificates that are trusted instead of those of Node.js. */
  readonly ca?: string | undefined;
  /** Looks up a name; `dns.lookup` by default. */
  readonly resolve?: Resolve | undefined;
}

/**
 * Posts a body. Redirects are not followed, and the response's body is ignored past 1 KB. Each attempt opens a new
 * connection, because a kept one may break when it is used again. The address is checked after the look-up, and the
 * connection uses that address, so a name cannot lead to another one after the check.
 * @throws {PostError}
 */
export function post(url: URL, { headers, body, limitMs, ca, resolve = lookup }: PostOptions): Promise<PostResponse> {
  return new Promise((done, fail) => {
    let isConnected = false;
    let response: (Omit<PostResponse, 'text'> & { text: string }) | undefined;
    const literal = addressIn(url.hostname);
    if (literal !== undefined && !mayConnect(url, literal)) {
      return fail(new PostError(false, refusal(url, literal)));
    }
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const outgoing = send(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      agent: false,
      lookup: checkedLookup(url, resolve),
      ...(ca === undefined ? {} : { ca }),
    });
    const timer = setTimeout(() => outgoing.destroy(new PostTimeoutError(limitMs)), limitMs);
    // A response whose body is cut off, too long or slow is complete enough: its status counts.
    const end = (error?: unknown): void => {
      clearTimeout(timer);
      outgoing.destroy();
      if (response) done(response);
      else fail(new PostError(isConnected, error));
    };
    outgoing.on('socket', (socket) => {
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => (isConnected = true));
    });
    outgoing.on('error', end);
    outgoing.on('response', (incoming) => {
      const read: Buffer[] = [];
      let length = 0;
      const { statusCode: status = 0, headers: sent } = incoming;
      const received = { status, text: '', retryAfter: sent['retry-after'], date: sent.date };
      response = received;
      incoming.on('data', (chunk: Buffer) => {
        read.push(chunk);
        length += chunk.length;
        received.text = Buffer.concat(read).subarray(0, readBytes).toString('utf8');
        if (length >= readBytes) end();
      });
      incoming.on('error', end);
      incoming.on('end', () => end());
    });
    outgoing.end(body);
  });
}

/** Returns whether webhooks may go to an address: for http only to private ones, for https to public ones. */
function mayConnect({ protocol, hostname }: URL, address: string): boolean {
  const reach = reachOf(address);
  if (reach === 'other') return false;
  return protocol === 'http:' ? reach === 'private' : reach === 'public' || isPrivateHost(hostname);
}

const refusal = (url: URL, address: string): RefusedAddressError =>
  new RefusedAddressError(address, url.protocol === 'http:');

/** Looks up a name, and returns only addresses to which webhooks may go. */
function checkedLookup(url: URL, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      const allowed = addresses.filter(({ address }) => mayConnect(url, address));
      const [first] = allowed;
      if (!first) return callback(refusal(url, addresses[0]?.address ?? 'unknown'), '', 0);
      if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}
