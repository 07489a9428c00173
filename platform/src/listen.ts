import type { AddressInfo, Server } from 'node:net';
import { SettingsError } from './settings.ts';

/**
 * Lets a server listen.
 * @param port - 0 takes a free one
 * @param names - of the settings that the host and the port come from
 * @returns the port
 * @throws {SettingsError} where another value of a setting helps; any other error as it is
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
      return new SettingsError(`Port ${port} is taken. Set another ${names.port}.`);
    case 'EACCES':
      return new SettingsError(`Port ${port} is for root alone. Set another ${names.port}.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new SettingsError(`This machine has no address ${host}. Set another ${names.host}.`);
    default:
      return error;
  }
}
