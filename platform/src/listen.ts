import type { AddressInfo, Server } from 'node:net';
import { SettingsError } from './settings.ts';

/**
 * Starts a server on a host and a port.
 * @param port - 0 selects a free port
 * @param names - the settings that hold the host and the port, for error messages
 * @returns the port that the server listens on
 * @throws {SettingsError} if another host or port would help; any other error of the server unchanged
 */
export async function listenOn(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
  names: { readonly host: string; readonly port: string },
): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    const refused = (error: NodeJS.ErrnoException): void => reject(listenFault(error, { host, port }, names));
    server.once('error', refused);
    server.listen(port, host, () => {
      server.off('error', refused);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}

function listenFault(
  error: NodeJS.ErrnoException,
  { host, port }: { readonly host: string; readonly port: number },
  names: { readonly host: string; readonly port: string },
): Error {
  switch (error.code ?? '') {
    case 'EADDRINUSE':
      return new SettingsError(`Port ${port} is already in use. Set ${names.port} to a free port.`);
    case 'EACCES':
      return new SettingsError(`Only root may listen on port ${port}. Set ${names.port} to a port above 1023.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new SettingsError(`${host} is not an address of this machine. Change ${names.host}.`);
    default:
      return error;
  }
}
