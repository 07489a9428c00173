import type { passkeyCreationResponse } from '@dune-tide/domain/responses/own-account';
import type { Json } from '@dune-tide/domain/responses/schema';
import type { passkeyRequestResponse } from '@dune-tide/domain/responses/session';
import type { NewPasskey, PasskeySignature } from '@dune-tide/domain/forms/second-factor';

/** The server's options for the creation of a passkey. */
export type PasskeyCreation = Json<typeof passkeyCreationResponse>;

/** The server's options for a prompt that asks for a passkey. */
export type PasskeyRequest = Json<typeof passkeyRequestResponse>;

/** Thrown if the browser's prompt ends without a passkey. The message is for the user. */
export class PasskeyPromptError extends Error {
  override readonly name = 'PasskeyPromptError';
}

/** Loads the code of the prompts, so that a later press shows the prompt without waiting. */
export const loadPasskeys = () => import('./library.ts');

/** Returns why this page cannot use passkeys, as a text for the user; undefined if it can. */
export function passkeyObstacle(
  { protocol, hostname, port }: Pick<Location, 'protocol' | 'hostname' | 'port'> = window.location,
): string | undefined {
  if (/^(?:127\.[\d.]+|\[::1\])$/.test(hostname)) {
    const address = `${protocol}//localhost${port === '' ? '' : `:${port}`}`;
    return `Passkeys do not work at the address ${hostname}. Open ${address} instead.`;
  }
  if (/^(?:[\d.]+|\[.*\])$/.test(hostname)) {
    return 'Passkeys do not work at an IP address. Open this page at its domain name, over HTTPS.';
  }
  if (!window.isSecureContext) return 'Passkeys need a secure connection. Open this page over HTTPS.';
  if (typeof window.PublicKeyCredential !== 'function') return 'This browser does not support passkeys.';
  return undefined;
}

/**
 * Shows the browser's prompt that creates a passkey.
 * @throws {PasskeyPromptError}
 */
export async function createPasskey(options: PasskeyCreation): Promise<Omit<NewPasskey, 'name'>> {
  const { id, response } = await prompt(options.rp.id, async () => {
    const { startRegistration } = await loadPasskeys();
    return startRegistration({ optionsJSON: mutable(options) });
  });
  const { clientDataJSON, attestationObject, transports = [] } = response;
  return { id, clientDataJSON, attestationObject, transports };
}

/**
 * Shows the browser's prompt that asks for a passkey.
 * @throws {PasskeyPromptError}
 */
export async function askForPasskey(options: PasskeyRequest): Promise<PasskeySignature> {
  const { id, response } = await prompt(options.rpId, async () => {
    const { startAuthentication } = await loadPasskeys();
    return startAuthentication({ optionsJSON: mutable(options) });
  });
  const { clientDataJSON, authenticatorData, signature } = response;
  return { id, clientDataJSON, authenticatorData, signature };
}

/** Closes an open prompt. */
export async function closePasskeyPrompt(): Promise<void> {
  const { WebAuthnAbortService } = await loadPasskeys();
  WebAuthnAbortService.cancelCeremony();
}

async function prompt<Result>(rpId: string, show: () => Promise<Result>): Promise<Result> {
  try {
    return await show();
  } catch (error) {
    throw new PasskeyPromptError(textOf(error instanceof Error ? error.name : '', rpId), { cause: error });
  }
}

/** @param name - of the error (Web Authentication, 5.1.3 and 5.1.4) */
function textOf(name: string, rpId: string): string {
  switch (name) {
    case 'NotAllowedError':
    case 'AbortError':
      return 'The prompt was cancelled or timed out. Please try again.';
    case 'InvalidStateError':
      return 'Your account has a passkey on this device already.';
    case 'SecurityError':
      return `The passkeys of this site work only at ${rpId}.`;
    case 'NotSupportedError':
    case 'ConstraintError':
      return 'This device cannot be used for passkeys of this site.';
    default:
      return 'The browser could not use a passkey. Please try again.';
  }
}

type Mutable<Value> = Value extends object ? { -readonly [Member in keyof Value]: Mutable<Value[Member]> } : Value;

/** The library's types have no `readonly`, but it does not change the options. */
function mutable<Options>(options: Options): Mutable<Options> {
  return structuredClone(options) as Mutable<Options>;
}
