import { createServer, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { listenOn } from '@dune-tide/platform/listen';
import type Koa from 'koa';
import { framingFault, originForm, parserFault, refusal, writtenRefusal } from './framing.ts';

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
  /** Until then at shutdown the first request of an open connection is taken: it may be on its way. */
  readonly firstRequest: number;
}

/** A slow client is cut off within 20 s: both limits are checked every two seconds. */
export const standardLimits: HttpLimits = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 2_000,
  inactivity: 9_000,
  drain: 10_000,
  firstRequest: 250,
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
 * Serves the app over HTTP.
 * @param port - 0 takes a free one
 * @throws {SettingsError} when it cannot listen there
 */
export async function listen(
  koa: Koa,
  host: string,
  port: number,
  { drain, firstRequest, inactivity, ...timeouts }: HttpLimits = standardLimits,
): Promise<HttpServer> {
  const handle = koa.callback();
  const connections = new Map<Socket, Connection>();
  let accepted = 0;
  let isClosing = false;
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
    if (isClosing) response.shouldKeepAlive = false;
    void handle(request, response);
  });
  // The two timeouts look at requests alone: one that never reads its answer would hold it in memory for ever.
  server.setTimeout(inactivity);
  server.on('connection', (socket) => {
    accepted++;
    connections.set(socket, { isUsed: false, underWay: [] });
    socket.once('close', () => connections.delete(socket));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, duplex) => {
    const socket = duplex as Socket;
    // What was begun cannot be answered in another way.
    const hasBegun = connections.get(socket)?.underWay.some((response) => response.headersSent) ?? false;
    if (socket.writable && !hasBegun) socket.write(writtenRefusal(parserFault(error)));
    socket.destroy(error);
  });
  const boundPort = await listenOn(server, { host, port }, { host: 'HOST', port: 'PORT' });
  // Node accepts a connection a turn of its loop, and whoever waits behind it would be reset.
  const emptyBacklog = async (): Promise<void> => {
    const end = performance.now() + firstRequest;
    let before: number;
    // The turn in which the signal came has asked for connections already.
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
      await emptyBacklog();
      const closed = new Promise((resolve) => server.close(resolve));
      // Connections that stay open for a next request would hold the shutdown up, or lose that request; so would those
      // that browsers open ahead of a first one, which Node does not count as idle. A proxy sends its first right away.
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
