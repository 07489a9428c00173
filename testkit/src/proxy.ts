import { createServer, connect, type AddressInfo, type Socket } from 'node:net';

/** The direction of a chunk. */
export type Direction = 'to server' | 'to client';

/** The fate of a chunk: `drop` closes both sides, `stall` keeps both open and forwards nothing more. */
export type Passage = 'pass' | 'drop' | 'stall';

/** The behaviour of a proxy. A change also applies to open connections. */
export interface ProxyRules {
  /** Milliseconds by which each chunk is delayed. */
  delay?: Partial<Record<Direction, number>>;
  /**
   * Returns the fate of a chunk or a replacement for it. By default, every chunk passes.
   * @param memory - state of the connection, for rules that depend on earlier chunks
   */
  judge?: (chunk: Buffer, direction: Direction, memory: Record<string, unknown>) => Passage | Buffer;
  /** The URL of another server for new connections, as after a failover. */
  server?: string;
  /** Accepts new connections but does not forward them, like a host whose server does not respond. */
  isMute?: boolean;
}

export interface TestProxy {
  readonly port: number;
  rules: ProxyRules;
  /** @returns the server's URL with the address of the proxy */
  instead(url: string): string;
  /** Keeps the current connections open but forwards nothing more, like a lost network. @returns their number */
  halfOpen(): number;
  /** Closes the current connections. @returns their number */
  drop(): number;
  /** Closes the half-open connections, which the server would keep until it notices the loss. */
  dropStalled(): void;
  close(): Promise<void>;
}

/** Starts a TCP proxy that can drop, stall and delay data. @param server - the URL of the server behind it */
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
