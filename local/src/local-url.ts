/**
 * @param host - a server listens on
 * @returns where it is reached from this machine, also when it listens on all addresses
 */
export function localUrl(scheme: string, host: string, port: number): string {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `${scheme}://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
