import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { codeOfReply } from './log.ts';
import { readRedisUrl, type RedisAddress } from './redis-url.ts';

/** One server, or the one that sentinels call the master, or a cluster. */
export type RedisClient = Redis | Cluster;
export type RedisConnectionOptions = Omit<RedisOptions, 'replyMapping'>;

/** Opens a connection to Redis, and again for as long as it takes when it is lost, also to a new master. */
export function connectRedis(url: string, own: RedisConnectionOptions, onError: (error: Error) => void): RedisClient {
  const redis = open(readRedisUrl(url), { connectTimeout: 5_000, keepAlive: 10_000, ...own }, writesElsewhere(onError));
  redis.on('error', onError);
  return redis;
}

/** Every reconnection gets the same error until there is a new master. */
const toldAgainAfterMs = 60_000;

/**
 * A demoted master answers READONLY: a new connection leads to the new one. It is logged because, where there is none,
 * nothing else explains it.
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
    // A certificate is for a name, which a look-up would turn into an address.
    ...(usesTls && { dnsLookup: (host, done) => done(null, host) }),
  });
}
