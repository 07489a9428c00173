import { describeCause } from '@dune-tide/domain/outages';
import { NotMigratedError, type DatabaseUnavailableError } from './unavailable.ts';

/** Describes an outage of the database to an operator, without secrets. */
export function describeOutage(error: DatabaseUnavailableError): string {
  const { message, cause } = error;
  if (error instanceof NotMigratedError || !(cause instanceof Error) || !('code' in cause)) return message;
  return describeCause(message.replace(/\.$/, ''), String(cause.code));
}
