import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { codeOfReply } from './log.ts';
import type { Outage } from './outage.ts';
import { readRedisUrl, type RedisAddress } from './redis-url.ts';

/** A client of a single server, of the master that Sentinel reports, or of a cluster. */
export type RedisClient = Redis | Cluster;
export type RedisConnectionOptions = Omit<RedisOptions, 'replyMapping'>;

/**
 * Connects to Redis. A lost connection is retried until it succeeds, even after a failover.
 * @param own - options that override the defaults
 * @param onError - called for each connection error, unless the outage is known
 * @param outage - the state of the server, which logs its outages and by which the clients of a process take turns
 */
export function connectRedis(
  url: string,
  own: RedisConnectionOptions,
  onError: (error: Error) => void,
  outage?: Outage,
): RedisClient {
  const options = { connectTimeout: 5_000, keepAlive: 10_000, ...own, ...(outage && takingTurns(outage)) };
  const redis = open(readRedisUrl(url), options, writesElsewhere(onError));
  if (outage) watch(redis, outage);
  else redis.on('error', onError);
  return redis;
}

/** The pause of ioredis before it connects again after a lost connection. */
const firstRetryMs = 50;

const takingTurns = (outage: Outage) => ({ retryStrategy: () => Math.max(firstRetryMs, outage.nextTryMs()) });

/** The clients of each server that share its outage. */
const clientsOf = new WeakMap<Outage, Set<RedisClient>>();

/** Reports a client's errors and, as soon as it is ready, lets the others connect. Its duplicates do the same. */
function watch(client: RedisClient, outage: Outage): void {
  const clients = clientsOf.get(outage) ?? new Set();
  clientsOf.set(outage, clients.add(client));
  client.on('error', (error) => outage.failed(error));
  client.on('end', () => clients.delete(client));
  client.on('ready', () => {
    clients.add(client);
    outage.worked();
    for (const other of clients) if (other.status === 'reconnecting') other.connect().catch(() => undefined);
  });
  const duplicate = client.duplicate.bind(client) as (...options: unknown[]) => RedisClient;
  client.duplicate = ((...options: unknown[]) => {
    const copy = duplicate(...options);
    watch(copy, outage);
    return copy;
  }) as never;
}

/** Limits repeated log lines: until a failover ends, every reconnection fails with the same error. */
const toldAgainAfterMs = 60_000;

/**
 * Returns a `reconnectOnError` function that reconnects when a demoted master returns READONLY, to reach the new
 * master. It reports the error, because ioredis does not: without a new master, the log would not show the cause.
 */
function writesElsewhere(onError: (error: Error) => void): (error: Error) => false | 2 {
  let told = -Infinity;
  return (error) => {
    if (codeOfReply(error) !== 'READONLY') return false;
    if (performance.now() >= told + toldAgainAfterMs) {
      told = performance.now();
      onError(error);
    }
    return 2;
  };
}

function open(
  address: RedisAddress,
  own: RedisConnectionOptions,
  reconnectOnError: (error: Error) => false | 2,
): RedisClient {
  if (address.kind === 'server') return new Redis(address.url, { ...own, reconnectOnError });
  const { kind, nodes, name, usesTls, sentinelPassword, ...credentials } = address;
  const options = { ...own, ...credentials, ...(usesTls && { tls: {} }) };
  if (kind === 'sentinel') {
    return new Redis({
      ...options,
      sentinels: [...nodes],
      name,
      ...(own.retryStrategy && { sentinelRetryStrategy: own.retryStrategy }),
      ...(sentinelPassword !== undefined && { sentinelPassword }),
      ...(usesTls && { enableTLSForSentinelMode: true, sentinelTLS: {} }),
      reconnectOnError,
    });
  }
  const { enableOfflineQueue = true, keyPrefix, retryStrategy, ...redisOptions } = options;
  return new Cluster([...nodes], {
    enableOfflineQueue,
    ...(retryStrategy && { clusterRetryStrategy: retryStrategy }),
    ...(keyPrefix !== undefined && { keyPrefix }),
    redisOptions,
    // TLS verifies host names, so names must not be resolved to addresses.
    ...(usesTls && { dnsLookup: (host, done) => done(null, host) }),
  });
}
