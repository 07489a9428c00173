import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A pooler as PgBouncer in transaction mode is one. */
export interface TransactionPooler {
  /** @returns the server's URL with the address of the pooler */
  instead(url: string): string;
  close(): Promise<void>;
}

/** A connection of the server, and the client whose transaction it runs. */
interface Backend {
  readonly socket: Socket;
  client: Socket | undefined;
}

/** PostgreSQL, "Message Formats": ReadyForQuery, with the state of the transaction. */
const [readyForQuery, idle] = ['Z', 'I'].map((letter) => letter.charCodeAt(0));

/**
 * Starts a pooler that gives each transaction the connection of the server that was returned last. Each client signs in
 * through a new connection, which then serves all clients.
 * @param server - the URL of the server behind it
 */
export async function startTransactionPooler(server: string): Promise<TransactionPooler> {
  const { hostname, port } = new URL(server);
  const sockets = new Set<Socket>();
  const free: Backend[] = [];

  function open(client: Socket): Backend {
    const backend: Backend = { socket: connect(Number(port), hostname), client };
    track(backend.socket);
    let unread = Buffer.alloc(0);
    let isNew = true;
    backend.socket.on('data', (chunk: Buffer) => {
      backend.client?.write(chunk);
      unread = Buffer.concat([unread, chunk]);
      // A type, then a length that includes itself.
      while (unread.length >= 5 && unread.length >= 1 + unread.readUInt32BE(1)) {
        const isFree = unread[0] === readyForQuery && unread[5] === idle;
        unread = unread.subarray(1 + unread.readUInt32BE(1));
        if (!isFree) continue;
        backend.client = undefined;
        // PgBouncer opens a connection only if none is free, so the others come first.
        if (isNew) free.unshift(backend);
        else free.push(backend);
        isNew = false;
      }
    });
    return backend;
  }

  function track(socket: Socket): void {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  }

  const listener = createServer((client) => {
    track(client);
    const own = open(client);
    let current = own;
    client.on('data', (message: Buffer) => {
      if (current.client !== client) {
        const next = free.pop();
        if (!next) return void client.destroy();
        next.client = client;
        current = next;
      }
      current.socket.write(message);
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  return {
    instead(url) {
      const changed = new URL(url);
      changed.host = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
      return changed.href;
    },
    async close() {
      const closed = new Promise((resolve) => listener.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
