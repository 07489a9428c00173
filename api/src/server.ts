import { createServer, STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { listenFault } from '@dune-tide/platform/listen-fault';
import type Koa from 'koa';
import { Problem, problemText, problemType } from './http/problem.ts';

/** All in milliseconds. */
export interface HttpLimits {
  /** A request's headers must have arrived by then. */
  readonly headersTimeout: number;
  /** The whole request must have arrived by then. */
  readonly requestTimeout: number;
  /** How often the two are looked at. */
  readonly connectionsCheckingInterval: number;
  /**
   * A connection on which nothing moves, either way, is closed then. For one that stops reading it takes up to twice as
   * long, since what the system's buffers take of an answer counts as movement.
   */
  readonly inactivity: number;
  /** Requests under way at shutdown get this long. */
  readonly drain: number;
}

/** A slow client is cut off within 20 s: the limits of reliability, "Settings", checked every two seconds. */
export const standardLimits: HttpLimits = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 2_000,
  inactivity: 9_000,
  drain: 10_000,
};

/**
 * Requests of one connection that wait behind an earlier one. Browsers send none so; one packet could ask for a thousand
 * large answers, all of which would be held in memory.
 */
const mostPipelined = 16;

/**
 * What is known of an open connection. Its responses stand in a list of its own: one Set of all of them would keep each
 * alive long after its end, since V8 links the table that a Set has outgrown to the next one, and the collection of young
 * objects, which then copies them, would take a seventh of the process's time under load.
 */
interface Connection {
  isUsed: boolean;
  readonly underWay: ServerResponse[];
}

export interface HttpServer {
  readonly port: number;
  /** Takes no new requests and lets the ones under way finish. */
  close(): Promise<void>;
}

/**
 * Listens.
 * @param port - 0 takes a free one
 * @throws {SettingsError} when it cannot listen there
 */
export async function listen(
  koa: Koa,
  host: string,
  port: number,
  { drain, inactivity, ...timeouts }: HttpLimits = standardLimits,
): Promise<HttpServer> {
  const handle = koa.callback();
  const connections = new Map<Socket, Connection>();
  // Node's own answer to a request without a host has no body.
  const server = createServer({ ...timeouts, requireHostHeader: false }, (request, response) => {
    const { socket } = request;
    const connection = connections.get(socket);
    // Broken off while its request was read.
    if (!connection) return;
    const { underWay } = connection;
    if (underWay.length > mostPipelined) return void socket.destroy();
    connection.isUsed = true;
    underWay.push(response);
    response.once('close', () => underWay.splice(underWay.indexOf(response), 1));
    const target = originForm(request.url ?? '');
    const fault = target === undefined ? 400 : framingFault(request);
    if (fault !== undefined) {
      const { headers, text } = refusal(fault);
      response.writeHead(fault, headers).end(text);
      return;
    }
    request.url = target;
    if (!server.listening) response.shouldKeepAlive = false;
    void handle(request, response);
  });
  // The two timeouts look at requests alone: one that never reads its answer would hold it in memory for ever.
  server.setTimeout(inactivity);
  server.on('connection', (socket) => {
    connections.set(socket, { isUsed: false, underWay: [] });
    socket.once('close', () => connections.delete(socket));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, duplex) => {
    const socket = duplex as Socket;
    // What was begun cannot be answered in another way.
    const hasBegun = connections.get(socket)?.underWay.some((response) => response.headersSent) ?? false;
    if (socket.writable && !hasBegun) socket.write(writtenRefusal(statusOf(error)));
    socket.destroy(error);
  });
  await new Promise<void>((resolve, reject) => {
    const refused = (error: NodeJS.ErrnoException): void =>
      reject(listenFault(error, { host, port }, { host: 'HOST', port: 'PORT' }));
    server.once('error', refused);
    server.listen(port, host, () => {
      server.off('error', refused);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      // Connections that stay open for a next request would hold the shutdown up, or lose that request; so would those
      // that browsers open ahead of a first one, which Node does not count as idle.
      for (const [socket, { isUsed, underWay }] of connections) {
        for (const response of underWay) response.shouldKeepAlive = false;
        if (!isUsed) socket.destroy();
      }
      const timer = setTimeout(() => server.closeAllConnections(), drain);
      await closed;
      clearTimeout(timer);
    },
  };
}

/**
 * Node takes any word for a request target (RFC 9112 §3.2). Koa throws on one without a path, and its URL parser on whole
 * addresses and forbidden characters, so only path and query are passed on.
 * @returns path and query; undefined for what has none
 */
function originForm(target: string): string | undefined {
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
function framingFault({ headers, rawHeaders, httpVersion }: IncomingMessage): number | undefined {
  // Names and values by turns; what Node offers instead takes each header apart, for every lead.
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  if (hosts.length > 1 || (hosts.length === 0 && httpVersion === '1.1')) return 400;
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return undefined;
  if (httpVersion !== '1.1') return 400;
  return coding.toLowerCase() === 'chunked' ? undefined : 501;
}

/** The status for what Node's parser refused, as Node itself would choose it. */
function statusOf({ code }: NodeJS.ErrnoException): number {
  if (code === 'HPE_HEADER_OVERFLOW') return 431;
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return 413;
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
}

/** A problem, as the application itself would answer (decisions, "Answers of the API"). */
function refusal(status: number) {
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
function writtenRefusal(status: number): string {
  const { headers, text } = refusal(status);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`;
}
