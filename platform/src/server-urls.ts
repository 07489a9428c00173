import { readRedisUrl, redisUrlPattern } from './redis-url.ts';

/** Advice for the message about an invalid URL. It quotes no part of the URL, because every part can be a secret. */
export const encodingHint =
  'in a user name or password, percent-encode % as %25, # as %23, ? as %3F, / as %2F, : as %3A and @ as %40';

/** Checks that a text is the URL of a mail server. */
export function isSmtpUrl(text: string): boolean {
  const url = parse(text);
  if (!url || !/^smtps?:$/.test(url.protocol)) return false;
  const hasPasswordAlone = url.username === '' && url.password !== '';
  return isHost(url.hostname) && /^\/?$/.test(url.pathname) && !hasPasswordAlone;
}

/**
 * Checks that a text is the URL of a PostgreSQL database on one host. The host is empty or an encoded folder for a
 * socket.
 */
export function isDatabaseUrl(text: string): boolean {
  // The driver accepts a URL with a user and without a host, if the query parameter `host` names a socket.
  const url = parse(text.replace('@/', '@localhost/'));
  if (!url || !/^postgres(ql)?:$/.test(url.protocol)) return false;
  const isSocket = url.hostname === '' || /^%2F/i.test(url.hostname);
  return (isSocket || isHost(url.hostname)) && /^\/?[^/]*$/.test(url.pathname);
}

/** Checks that a text is the URL of a Redis server, of sentinels or of a cluster. */
export function isRedisUrl(text: string): boolean {
  if (!new RegExp(redisUrlPattern).test(text)) return false;
  const address = readRedisUrl(text);
  if (address.kind !== 'server') return address.nodes.every(({ port }) => port >= 1 && port <= 65_535);
  const url = parse(text);
  return url !== undefined && isHost(url.hostname) && /^\/?\d*$/.test(url.pathname);
}

/**
 * Parses a URL. A `#`, or an `@` after the host, means that a password is not percent-encoded. Parsers then end the
 * password too early, fail, or take a part of it for the host.
 * @returns undefined if the URL is invalid
 */
function parse(text: string): URL | undefined {
  if (/[\s#\\]/.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const hasStrayAt = url.pathname.includes('@') || url.search.includes('@');
  const isPort = url.port === '' || Number(url.port) > 0;
  return hasStrayAt || !isPort || !canDecode(url.username) || !canDecode(url.password) ? undefined : url;
}

/** Checks a host name or an address, in which the parser has percent-encoded all other characters. */
function isHost(hostname: string): boolean {
  return /^(?:[\w.-]+|\[[\da-f:.]+\])$/i.test(hostname);
}

function canDecode(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
