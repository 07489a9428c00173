/**
 * @param host - the address on which a server listens, possibly all addresses
 * @returns the URL at which this machine reaches the server
 */
export function localUrl(scheme: string, host: string, port: number): string {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `${scheme}://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
