import { describeCause } from '@dune-tide/domain/outages';
import { NotMigratedError, type DatabaseUnavailableError } from './unavailable.ts';

/**
 * Describes an outage of the database to an operator, without secrets.
 * @param address - the host and port of the server, if known
 */
export function describeOutage(error: DatabaseUnavailableError, address?: string): string {
  const { message, cause } = error;
  if (error instanceof NotMigratedError || !(cause instanceof Error) || !('code' in cause)) return message;
  const subject = address === undefined ? 'The database' : `The database ${address}`;
  return describeCause(message.replace(/\.$/, '').replace(/^The database/, subject), String(cause.code));
}
