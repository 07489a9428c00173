import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import type { passkeyCreationResponse } from '@dune-tide/domain/responses/own-account';
import type { Json } from '@dune-tide/domain/responses/schema';
import type { passkeyRequestResponse } from '@dune-tide/domain/responses/session';

/** Deviations from the behaviour of an authenticator and a browser. */
interface Faults {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  /** The format and the statement of the attestation, in CBOR. */
  readonly attestation?: Buffer;
  readonly isPresent?: boolean;
}

/** A passkey with its private key. */
export interface SoftwarePasskey {
  readonly id: string;
  /** The signature counter, which each use increases; 0 if it is not supported. */
  counter: number;
  /** Returns the body of POST /login/passkey. */
  use(request: Json<typeof passkeyRequestResponse>, faults?: Faults): Record<string, unknown>;
}

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest();

const presence = 0x01;
const verification = 0x04;
const attestedData = 0x40;

/** Text strings of up to 23 bytes in CBOR (RFC 8949, 3.1). */
const cborText = (text: string): Buffer => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);
/** Byte strings of up to 255 bytes in CBOR. */
const cborBytes = (data: Buffer): Buffer =>
  Buffer.concat([Buffer.from(data.length < 24 ? [0x40 + data.length] : [0x58, data.length]), data]);

const noAttestation = Buffer.concat([cborText('fmt'), cborText('none'), cborText('attStmt'), Buffer.from([0xa0])]);

/** An attestation in the format `packed` with a certificate, which no authenticator issued. */
export const certifiedAttestation = Buffer.concat([
  cborText('fmt'),
  cborText('packed'),
  cborText('attStmt'),
  Buffer.from([0xa3]),
  cborText('alg'),
  Buffer.from([0x26]),
  cborText('sig'),
  cborBytes(Buffer.from([1])),
  cborText('x5c'),
  Buffer.from([0x81]),
  cborBytes(Buffer.from([1])),
]);

/**
 * Creates a passkey as an authenticator and a browser at `origin` do (Web Authentication, 6.5), with an ES256 key.
 * @returns the passkey, and the body of POST /account/passkeys without the name
 */
export function createPasskey(
  { challenge, rp }: Json<typeof passkeyCreationResponse>,
  origin: string,
  faults: Faults = {},
): { readonly passkey: SoftwarePasskey; readonly created: Record<string, unknown> } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  const authData = Buffer.concat([
    authenticatorData(faults.rpId ?? rp.id, attestedData, 0, faults),
    Buffer.alloc(16),
    Buffer.from([0, id.length]),
    id,
    coseKey(publicKey),
  ]);
  const attestationObject = Buffer.concat([
    Buffer.from([0xa3]),
    faults.attestation ?? noAttestation,
    cborText('authData'),
    cborBytes(authData),
  ]);
  const passkey: SoftwarePasskey = {
    id: id.toString('base64url'),
    counter: 0,
    use: (request, ownFaults = {}) => signature(passkey, privateKey, request, origin, ownFaults),
  };
  const clientData = clientDataJSON('webauthn.create', challenge, origin, faults);
  return {
    passkey,
    created: {
      id: passkey.id,
      clientDataJSON: clientData.toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal'],
    },
  };
}

function signature(
  { id, counter }: SoftwarePasskey,
  key: KeyObject,
  { challenge, rpId }: Json<typeof passkeyRequestResponse>,
  origin: string,
  faults: Faults,
): Record<string, unknown> {
  const data = authenticatorData(faults.rpId ?? rpId, 0, counter, faults);
  const clientData = clientDataJSON('webauthn.get', challenge, origin, faults);
  return {
    id,
    clientDataJSON: clientData.toString('base64url'),
    authenticatorData: data.toString('base64url'),
    signature: sign('sha256', Buffer.concat([data, sha256(clientData)]), key).toString('base64url'),
  };
}

function authenticatorData(rpId: string, flags: number, counter: number, { isPresent = true }: Faults): Buffer {
  const data = Buffer.alloc(37);
  sha256(rpId).copy(data);
  data.writeUInt8(flags | verification | (isPresent ? presence : 0), 32);
  data.writeUInt32BE(counter, 33);
  return data;
}

function clientDataJSON(type: string, challenge: string, origin: string, faults: Faults): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...faults }));
}

/** The public key as a COSE key for ES256 (RFC 9053, 7.1.1). */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
    Buffer.from(x, 'base64url'),
    Buffer.from([0x22, 0x58, 0x20]),
    Buffer.from(y, 'base64url'),
  ]);
}
