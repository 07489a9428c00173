import { SettingsError } from './settings.ts';

/**
 * Says by its setting why a server cannot listen.
 * @param names - of the settings that the host and the port come from
 * @returns a SettingsError where another value helps; any other error as it is
 */
export function listenFault(
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
