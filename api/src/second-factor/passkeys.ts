import { randomBytes } from 'node:crypto';
import {
  passkeyChallenges,
  passkeys,
  type NewPasskey as StoredPasskey,
  type StaffIdentity,
} from '@dune-tide/db/accounts';
import { brand } from '@dune-tide/domain/brand';
import type { NewPasskey, PasskeySignature } from '@dune-tide/domain/forms/second-factor';
import { passkeyChallengeMinutes } from '@dune-tide/domain/limits';
import type { passkeyCreationResponse } from '@dune-tide/domain/responses/own-account';
import type { Presented } from '@dune-tide/domain/responses/schema';
import type { passkeyDescriptor, passkeyRequestResponse } from '@dune-tide/domain/responses/session';
import { describeError, type Logger } from '@dune-tide/platform/log';
import type { Knex } from 'knex';

/** Ed25519, ES256 and RS256, which every supported version of Node.js can verify. */
const algorithms = [-8, -7, -257];

const timeout = passkeyChallengeMinutes * 60_000;

// Loaded at the first use, because it would take a third of the time in which the API starts.
const webAuthn = () => import('@simplewebauthn/server');
const webAuthnHelpers = () => import('@simplewebauthn/server/helpers');

export interface PasskeysDependencies {
  readonly database: Knex;
  /** Its origin is the one that browsers must report; its host name is the RP ID. */
  readonly publicUrl: string;
  readonly logger: Logger;
}

/** Creates and checks passkeys (Web Authentication, 7). Challenges are stored, bound to one account, and work once. */
export interface Passkeys {
  /** @returns undefined if the session has ended */
  beginCreation(
    account: StaffIdentity,
    sessionId: string,
  ): Promise<Presented<typeof passkeyCreationResponse> | undefined>;
  /** Checks a passkey that the browser has created. @returns undefined if it is refused */
  checkCreation(sessionId: string, created: NewPasskey): Promise<StoredPasskey | undefined>;
  /** @returns undefined if the sign-in has ended */
  beginUse(staffId: string, signInId: string): Promise<Presented<typeof passkeyRequestResponse> | undefined>;
  /** Uses a passkey of the account that is signing in. @returns whether it is accepted */
  use(staffId: string, signInId: string, signed: PasskeySignature): Promise<boolean>;
}

export function openPasskeys({ database, publicUrl, logger }: PasskeysDependencies): Passkeys {
  const store = passkeys(database);
  const ofSessions = passkeyChallenges(database, 'sessions');
  const ofSignIns = passkeyChallenges(database, 'pending_sign_ins');
  const { hostname: rpId, origin } = new URL(publicUrl);

  /** Runs a check of the library, which throws if it refuses what the browser sent. */
  const verified = async <Result>(check: () => Promise<Result | undefined>): Promise<Result | undefined> => {
    try {
      return await check();
    } catch (error) {
      logger.info({ error: describeError(error) }, 'passkey refused');
      return undefined;
    }
  };

  const descriptorsOf = async (staffId: string): Promise<Presented<typeof passkeyDescriptor>[]> =>
    (await store.descriptors(staffId)).map((descriptor) => ({ type: 'public-key', ...descriptor }));

  return {
    async beginCreation({ id, username, name }, sessionId) {
      const challenge = newChallenge();
      if (!(await ofSessions.set(sessionId, challenge))) return undefined;
      return {
        challenge,
        rp: { id: rpId, name: brand.name },
        user: { id: userHandle(id), name: username, displayName: name },
        pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
        timeout,
        attestation: 'none',
        // A discoverable passkey is one that password managers keep. Others stay on one device.
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
        excludeCredentials: await descriptorsOf(id),
      };
    },

    async checkCreation(sessionId, { name, id, clientDataJSON, attestationObject, transports }) {
      const expectedChallenge = await ofSessions.take(sessionId);
      if (expectedChallenge === undefined) return undefined;
      return verified(async () => {
        if (await hasCertificates(attestationObject)) throw new UnrequestedAttestationError();
        const { verifyRegistrationResponse } = await webAuthn();
        const { registrationInfo } = await verifyRegistrationResponse({
          response: {
            id,
            rawId: id,
            type: 'public-key',
            response: { clientDataJSON, attestationObject },
            clientExtensionResults: {},
          },
          expectedChallenge,
          expectedOrigin: origin,
          expectedRPID: rpId,
          requireUserVerification: false,
          supportedAlgorithmIDs: algorithms,
        });
        if (!registrationInfo) return undefined;
        const { id: credentialId, publicKey, counter } = registrationInfo.credential;
        return { credentialId, publicKey, counter, transports, name };
      });
    },

    async beginUse(staffId, signInId) {
      const challenge = newChallenge();
      if (!(await ofSignIns.set(signInId, challenge))) return undefined;
      return {
        challenge,
        rpId,
        timeout,
        userVerification: 'preferred',
        allowCredentials: await descriptorsOf(staffId),
      };
    },

    async use(staffId, signInId, { id, ...response }) {
      const expectedChallenge = await ofSignIns.take(signInId);
      const key = await store.keyOf(staffId, id);
      if (expectedChallenge === undefined || !key) return false;
      const { verifyAuthenticationResponse } = await webAuthn();
      const check = await verified(() =>
        verifyAuthenticationResponse({
          response: { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} },
          expectedChallenge,
          expectedOrigin: origin,
          expectedRPID: rpId,
          credential: { id, ...key },
          requireUserVerification: false,
        }),
      );
      return check?.verified === true && store.use(staffId, id, check.authenticationInfo.newCounter);
    },
  };
}

/** Thrown if an attestation has certificates, which were not requested. */
class UnrequestedAttestationError extends Error {
  override readonly name = 'UnrequestedAttestationError';
}

const newChallenge = (): string => randomBytes(32).toString('base64url');

/** The id of an account as authenticators store it: opaque bytes, which do not name a person. */
const userHandle = (staffId: string): string => Buffer.from(staffId.replaceAll('-', ''), 'hex').toString('base64url');

/**
 * Returns whether an attestation has certificates. Without a request for them, browsers send none. To check them, the
 * library would fetch the addresses of revocation lists that they name.
 */
async function hasCertificates(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await webAuthnHelpers();
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const format = attestation.get('fmt');
  return format !== 'none' && (format !== 'packed' || attestation.get('attStmt').get('x5c') !== undefined);
}
