import { NotMigratedError, type DatabaseUnavailableError } from './unavailable.ts';

/** PostgreSQL, appendix A; errno(3); getaddrinfo(3). */
const causes: Readonly<Record<string, string>> = {
  '28P01': 'the user name or password is wrong',
  '28000': 'the user is not allowed to connect',
  '3D000': 'the database does not exist',
  '53300': 'too many connections are open',
  '25006': 'it is read-only',
  '42501': 'the user lacks a right; see the runbook, "Database roles"',
  ECONNREFUSED: 'no server is listening there',
  ENOTFOUND: 'its host is unknown',
  EAI_AGAIN: 'its host cannot be looked up',
  ETIMEDOUT: 'it cannot be reached',
  ENOENT: 'a file that DATABASE_URL names is missing',
};

/**
 * Describes an outage of the database to an operator. It uses error codes only, because error texts can contain
 * secrets.
 */
export function describeOutage(error: DatabaseUnavailableError): string {
  const { message, cause } = error;
  if (error instanceof NotMigratedError || !(cause instanceof Error) || !('code' in cause)) return message;
  const code = String(cause.code);
  const why = causes[code];
  return `${message.replace(/\.$/, '')} (${why === undefined ? code : `${code}: ${why}`}).`;
}
