import { createServer, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { listenOn } from '@dune-tide/platform/listen';
import type Koa from 'koa';
import { apiHeaders } from './security-headers.ts';
import { framingFault, originForm, parserFault, refusal, writtenRefusal } from './framing.ts';

/** Time limits of the HTTP server, in milliseconds. */
export interface HttpLimits {
  /** Time for a request's headers to arrive. */
  readonly headersTimeout: number;
  /** Time for the whole request to arrive. */
  readonly requestTimeout: number;
  /** Interval at which these two limits are checked. */
  readonly connectionsCheckingInterval: number;
  /**
   * Time after which a connection without traffic in either direction is closed, unless the client waits for a response.
   * If the client stops reading, this takes up to twice as long, since data that the system's buffers accept counts as
   * traffic.
   */
  readonly inactivity: number;
  /** Time that running requests have to finish at shutdown. */
  readonly drain: number;
  /** Time during shutdown in which an unused connection may still send its first request. */
  readonly firstRequestTimeout: number;
}

/** With these limits a slow client is disconnected within 20 s. */
export const standardLimits: HttpLimits = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 2_000,
  inactivity: 9_000,
  drain: 10_000,
  firstRequestTimeout: 250,
};

/**
 * Maximum number of pipelined requests that wait on one connection. Browsers do not pipeline. Without a limit, one
 * packet could request a thousand large responses, which would all be held in memory.
 */
const mostPipelined = 16;

/**
 * The state of an open connection. Each connection has its own list of responses. When a Set grows, V8 keeps a link
 * from its old table to the new one, so a single Set of all responses would keep finished responses alive. Minor
 * garbage collections would then copy them, which takes a seventh of the CPU time under load.
 */
interface Connection {
  isUsed: boolean;
  readonly underWay: ServerResponse[];
}

export interface HttpServer {
  readonly port: number;
  /** Stops accepting requests and waits for the running ones. */
  close(): Promise<void>;
}

/**
 * Serves the app over HTTP.
 * @param port - 0 selects a free port
 * @param security - the headers of the responses to requests that do not reach the app
 * @throws {SettingsError} if the server cannot listen on this host and port
 */
export async function listen(
  koa: Koa,
  host: string,
  port: number,
  { drain, firstRequestTimeout: firstRequest, inactivity, ...timeouts }: HttpLimits = standardLimits,
  security = apiHeaders(''),
): Promise<HttpServer> {
  const handle = koa.callback();
  const connections = new Map<Socket, Connection>();
  let accepted = 0;
  let isClosing = false;
  // Node's own response to a request without a Host header would have no body.
  const server = createServer({ ...timeouts, requireHostHeader: false }, (request, response) => {
    const { socket } = request;
    const connection = connections.get(socket);
    // The client disconnected while its request was parsed.
    if (!connection) return;
    const { underWay } = connection;
    if (underWay.length > mostPipelined) return void socket.destroy();
    connection.isUsed = true;
    underWay.push(response);
    response.once('close', () => underWay.splice(underWay.indexOf(response), 1));
    const target = originForm(request.url ?? '');
    const fault = target === undefined ? 400 : framingFault(request);
    if (fault !== undefined) {
      const { headers, text } = refusal(fault, security);
      response.writeHead(fault, headers).end(text);
      return;
    }
    request.url = target;
    if (isClosing) response.shouldKeepAlive = false;
    void handle(request, response);
  });
  // The two timeouts cover requests only. A client that never reads would keep its response in memory forever.
  server.setTimeout(inactivity, (socket) => {
    const [oldest] = connections.get(socket)?.underWay ?? [];
    const isResponseDue = oldest !== undefined && oldest.req.complete && !oldest.headersSent;
    if (isResponseDue) socket.setTimeout(inactivity);
    else socket.destroy();
  });
  server.on('connection', (socket) => {
    accepted++;
    connections.set(socket, { isUsed: false, underWay: [] });
    socket.once('close', () => connections.delete(socket));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, duplex) => {
    const socket = duplex as Socket;
    // A response that has started cannot be replaced by an error.
    const hasStarted = connections.get(socket)?.underWay.some((response) => response.headersSent) ?? false;
    if (socket.writable && !hasStarted) socket.write(writtenRefusal(parserFault(error), security));
    socket.destroy(error);
  });
  const boundPort = await listenOn(server, { host, port }, { host: 'HOST', port: 'PORT' });
  // Node accepts one connection per turn of the event loop. Closing the server would reset those that still wait.
  const waitForBacklog = async (): Promise<void> => {
    const end = performance.now() + firstRequest;
    let before: number;
    // Node has already polled for connections in this turn of the event loop, so counting starts in the next.
    await nextTurn();
    do {
      before = accepted;
      await nextTurn();
    } while (accepted > before && performance.now() < end);
  };
  return {
    port: boundPort,
    async close() {
      isClosing = true;
      await waitForBacklog();
      const closed = new Promise((resolve) => server.close(resolve));
      // A keep-alive connection would delay the shutdown or lose its next request, so each running response closes its
      // connection. Browsers also open connections in advance, which Node does not count as idle. They are closed after
      // a short wait, which is long enough for a proxy to send its first request.
      for (const { underWay } of connections.values()) {
        for (const response of underWay) response.shouldKeepAlive = false;
      }
      const endUnused = setTimeout(() => {
        for (const [socket, { isUsed }] of connections) if (!isUsed) socket.destroy();
      }, firstRequest);
      const endAll = setTimeout(() => server.closeAllConnections(), drain);
      await closed;
      clearTimeout(endUnused);
      clearTimeout(endAll);
    },
  };
}
