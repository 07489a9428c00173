import { addressOf } from './outage.ts';

const userAndPassword = '(?:(?:[^%@\\s/]|%[\\da-fA-F]{2})*@)?';
const node = '(?:[\\w.-]+|\\[[\\da-fA-F:]+\\])(?::\\d{1,5})?';
const nodes = `${node}(?:,${node})*`;

/** The valid forms of REDIS_URL. `rediss` means TLS. */
export const redisUrlPattern = `^(?:rediss?://\\S+|rediss?\\+sentinel://${userAndPassword}${nodes}/[^\\s/?]+(?:\\?sentinelPassword=\\S+)?|rediss?\\+cluster://${userAndPassword}${nodes}/?)$`;

/** A parsed REDIS_URL. */
export type RedisAddress =
  | { readonly kind: 'server'; readonly url: string }
  | {
      readonly kind: 'sentinel' | 'cluster';
      readonly nodes: readonly { readonly host: string; readonly port: number }[];
      /** The name of the master group in Sentinel; empty for a cluster. */
      readonly name: string;
      readonly username?: string;
      readonly password?: string;
      readonly sentinelPassword?: string;
      readonly usesTls: boolean;
    };

const standardPorts = { sentinel: 26_379, cluster: 6_379 };

/** Checks whether a URL names a cluster, where all keys of a job must be on one node. */
export function isClusterUrl(url: string): boolean {
  return readRedisUrl(url).kind === 'cluster';
}

/**
 * Parses a REDIS_URL.
 * @param url - must match `redisUrlPattern`
 */
export function readRedisUrl(url: string): RedisAddress {
  const [, scheme, kind, credentials = '', hosts = '', name = '', query] =
    /^(rediss?)\+(sentinel|cluster):\/\/(?:([^@/]*)@)?([^/?]*)\/?([^?]*)(?:\?(.*))?$/.exec(url) ?? [];
  if (kind !== 'sentinel' && kind !== 'cluster') return { kind: 'server', url };
  const [, user = '', password = ''] = (/^([^:]*):?(.*)$/.exec(credentials) ?? []).map(decodeURIComponent);
  const sentinelPassword = new URLSearchParams(query).get('sentinelPassword');
  return {
    kind,
    name,
    nodes: hosts.split(',').map((each) => {
      const [, host = '', port = standardPorts[kind]] = /^\[?(.+?)\]?(?::(\d+))?$/.exec(each) ?? [];
      return { host, port: Number(port) };
    }),
    ...(user !== '' && { username: user }),
    ...(password !== '' && { password }),
    ...(sentinelPassword !== null && { sentinelPassword }),
    usesTls: scheme === 'rediss',
  };
}

/** Returns the host and port of the server, or of the sentinels or the cluster, without credentials. */
export function redisAddressOf(url: string): string {
  const address = readRedisUrl(url);
  if (address.kind === 'server') return addressOf(url, standardPorts.cluster);
  return address.nodes.map(({ host, port }) => `${host}:${port}`).join(',');
}
