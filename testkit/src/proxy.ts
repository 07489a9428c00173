import { createServer, connect, type AddressInfo, type Socket } from 'node:net';

/** Where bytes go: to the server, or back to the client. */
export type Direction = 'to server' | 'to client';

/** What becomes of a chunk; `drop` ends both sides without it, `stall` keeps both open and passes nothing more. */
export type Passage = 'pass' | 'drop' | 'stall';

/** What a proxy does; replace to change it for connections that are open as well. */
export interface ProxyRules {
  /** Milliseconds that each chunk waits. */
  delay?: Partial<Record<Direction, number>>;
  /** Decides about each chunk, or gives another for it; everything passes without it. @param memory - of the connection, for rules of two steps */
  judge?: (chunk: Buffer, direction: Direction, memory: Record<string, unknown>) => Passage | Buffer;
  /** The URL of the server that new connections lead to instead, as an address does after a failover. */
  server?: string;
  /** New connections are accepted and never carried on: the host is there, the server is not. */
  isMute?: boolean;
}

export interface TestProxy {
  readonly port: number;
  rules: ProxyRules;
  /** @returns a URL of the server with the proxy in its place */
  instead(url: string): string;
  /** Keeps the connections of now open and passes nothing over them ever again, as a lost network does. */
  halfOpen(): number;
  /** Cuts the connections of now. @returns how many */
  drop(): number;
  /** Cuts the half-open ones: the server would hold them until it finds out by itself. */
  dropStalled(): void;
  close(): Promise<void>;
}

/** Starts a TCP proxy that drops, stalls and delays. @param server - the URL of what is behind it */
export async function startTestProxy(server: string): Promise<TestProxy> {
  const connections = new Set<{ isStalled: boolean; readonly sockets: readonly [Socket, Socket] }>();
  const clients = new Set<Socket>();
  const proxy = { rules: {} as ProxyRules };

  const listener = createServer((client) => {
    client.on('error', () => undefined);
    clients.add(client);
    client.once('close', () => clients.delete(client));
    if (proxy.rules.isMute === true) return;
    const { hostname, port } = new URL(proxy.rules.server ?? server);
    const target = connect(Number(port), hostname);
    const connection = { isStalled: false, sockets: [client, target] as const };
    const memory: Record<string, unknown> = {};
    connections.add(connection);
    const end = (): void => {
      if (connection.isStalled) return;
      connections.delete(connection);
      client.destroy();
      target.destroy();
    };
    const carry = (from: Socket, to: Socket, direction: Direction): void => {
      from.on('error', () => undefined);
      from.on('close', end);
      from.on('end', end);
      let turn = Promise.resolve();
      from.on('data', (chunk: Buffer) => {
        if (connection.isStalled) return;
        const passage = proxy.rules.judge?.(chunk, direction, memory) ?? 'pass';
        if (passage === 'stall') connection.isStalled = true;
        if (passage === 'drop') end();
        if (passage === 'stall' || passage === 'drop') return;
        const passed = passage === 'pass' ? chunk : passage;
        const delay = proxy.rules.delay?.[direction] ?? 0;
        if (delay === 0) to.write(passed);
        else {
          turn = turn
            .then(() => new Promise((resolve) => setTimeout(resolve, delay)))
            .then(() => void to.write(passed));
        }
      });
    };
    carry(client, target, 'to server');
    carry(target, client, 'to client');
  });
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(0, '127.0.0.1', resolve);
  });
  const listening = (listener.address() as AddressInfo).port;

  const drop = (): number => {
    const count = connections.size;
    for (const { sockets } of connections) for (const socket of sockets) socket.destroy();
    connections.clear();
    return count;
  };
  return Object.assign(proxy, {
    port: listening,
    instead(url: string) {
      const changed = new URL(url);
      changed.host = `127.0.0.1:${listening}`;
      return changed.href;
    },
    halfOpen() {
      for (const connection of connections) connection.isStalled = true;
      return connections.size;
    },
    drop,
    dropStalled() {
      for (const connection of connections) {
        if (connection.isStalled) for (const socket of connection.sockets) socket.destroy();
      }
    },
    async close() {
      const closed = new Promise((resolve) => listener.close(resolve));
      drop();
      for (const client of clients) client.destroy();
      await closed;
    },
  });
}
