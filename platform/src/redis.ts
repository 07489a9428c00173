import { Redis, type RedisOptions } from 'ioredis';

export type { Redis };
export type RedisConnectionOptions = Omit<RedisOptions, 'replyMapping'>;

/** Opens a connection to Redis, and again for as long as it takes when it is lost. */
export function connectRedis(url: string, own: RedisConnectionOptions, onError: (error: Error) => void): Redis {
  const redis = new Redis(url, { connectTimeout: 5_000, keepAlive: 10_000, ...own });
  redis.on('error', onError);
  return redis;
}
