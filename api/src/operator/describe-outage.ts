import { NotMigratedError, type DatabaseUnavailableError } from '@dune-tide/db/unavailable';
import { codeOf } from '@dune-tide/platform/system-error';

/** PostgreSQL, appendix A; errno(3); getaddrinfo(3). */
const causes: Readonly<Record<string, string>> = {
  '28P01': 'the password is refused',
  '28000': 'the user is refused',
  '3D000': 'there is no such database',
  '53300': 'it has no connection left',
  '25006': 'it only reads',
  ECONNREFUSED: 'nobody listens there',
  ENOTFOUND: 'its host is not known',
  EAI_AGAIN: 'its host cannot be looked up',
  ETIMEDOUT: 'it cannot be reached',
  ENOENT: 'a file that DATABASE_URL names is missing',
};

/** Says to an operator what is wrong with the database. By codes alone: a text may hold what is secret. */
export function describeOutage(error: DatabaseUnavailableError): string {
  const { message, cause } = error;
  const code = codeOf(cause);
  if (code === undefined || error instanceof NotMigratedError) return message;
  const why = causes[code];
  return `${message.replace(/\.$/, '')} (${why === undefined ? code : `${code}: ${why}`}).`;
}
