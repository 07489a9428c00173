import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { codeOfReply } from './log.ts';
import { readRedisUrl, type RedisAddress } from './redis-url.ts';

/** A client of a single server, of the master that Sentinel reports, or of a cluster. */
export type RedisClient = Redis | Cluster;
export type RedisConnectionOptions = Omit<RedisOptions, 'replyMapping'>;

/**
 * Connects to Redis. A lost connection is retried until it succeeds, even after a failover.
 * @param own - options that override the defaults
 * @param onError - called for each connection error
 */
export function connectRedis(url: string, own: RedisConnectionOptions, onError: (error: Error) => void): RedisClient {
  const redis = open(readRedisUrl(url), { connectTimeout: 5_000, keepAlive: 10_000, ...own }, writesElsewhere(onError));
  redis.on('error', onError);
  return redis;
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
      ...(sentinelPassword !== undefined && { sentinelPassword }),
      ...(usesTls && { enableTLSForSentinelMode: true, sentinelTLS: {} }),
      reconnectOnError,
    });
  }
  const { enableOfflineQueue = true, keyPrefix, ...redisOptions } = options;
  return new Cluster([...nodes], {
    enableOfflineQueue,
    ...(keyPrefix !== undefined && { keyPrefix }),
    redisOptions,
    // TLS verifies host names, so names must not be resolved to addresses.
    ...(usesTls && { dnsLookup: (host, done) => done(null, host) }),
  });
}
