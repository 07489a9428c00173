/**
 * The meaning of error codes to an operator: PostgreSQL, appendix A; errno(3); getaddrinfo(3); OpenSSL, X509_verify_cert;
 * nodemailer; Redis; SMTP (RFC 5321, RFC 4954).
 */
const causes: Readonly<Record<string, string>> = {
  '28P01': 'the user name or password is wrong',
  '28000': 'the user is not allowed to connect',
  '3D000': 'the database does not exist',
  '53300': 'too many connections are open',
  '57P01': 'it is shutting down',
  '57P03': 'it is starting or shutting down',
  '25006': 'it is read-only',
  '42501': 'the user lacks a right; see the runbook, "Database roles"',
  ECONNREFUSED: 'no server is listening there',
  ECONNRESET: 'it closed the connection',
  ECONNECTION: 'it closed the connection',
  ENOTFOUND: 'its host is unknown',
  EAI_AGAIN: 'its host cannot be looked up',
  ETIMEDOUT: 'it cannot be reached or does not respond',
  EHOSTUNREACH: 'no route leads to its host',
  ENETUNREACH: 'no route leads to its network',
  ENOENT: 'a file that DATABASE_URL names is missing',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is from an authority that is not trusted',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed and not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is from an authority that is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is from an authority that is not trusted',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
  EPROTO: 'TLS failed; the port may not use it',
  ERR_SSL_WRONG_VERSION_NUMBER: 'TLS failed; the port may not use it',
  ETLS: 'it offers no encryption or TLS failed',
  EAUTH: 'the user name or password is wrong',
  ENOAUTH: 'it offers no sign-in, but SMTP_URL has a password',
  WRONGPASS: 'the user name or password is wrong',
  NOAUTH: 'it requires a password',
  NOPERM: 'the user lacks a right',
  LOADING: 'it is loading its data',
  READONLY: 'it is a replica, which accepts no writes',
  OOM: 'its memory is full',
  MISCONF: 'it cannot save its data',
  421: 'it closes its connections for now',
  450: 'it rejects the address of the sender for now',
  451: 'it rejects the address of the sender for now',
  530: 'it requires a user name and a password',
  535: 'the user name or password is wrong',
  550: 'it rejects the address of the sender',
  553: 'it rejects the address of the sender',
  554: 'it rejects every connection from here',
  'HTTP 502': 'a gateway before it cannot reach it',
  'HTTP 503': 'it responds that it is unavailable',
  'HTTP 504': 'a gateway before it cannot reach it',
  REFUSED_ADDRESS: 'its name leads to an address that is not allowed',
};

/**
 * Describes an outage to an operator, in the words of all processes and commands. It uses the error's code only, because
 * error texts can contain secrets.
 * @param sentence - without a full stop, e.g. "The database is unavailable"
 * @param code - undefined if the error has none
 */
export function describeCause(sentence: string, code: string | undefined): string {
  if (code === undefined) return `${sentence}.`;
  const cause = causes[code];
  return `${sentence} (${cause === undefined ? code : `${code}: ${cause}`}).`;
}
