import { brand } from '@dune-tide/domain/brand';
import { generateSecret, generateURI, verify } from 'otplib';

/** Clocks may differ by this many seconds, so that the code before and the code after are also accepted (RFC 6238, 5.2). */
const toleranceSeconds = 30;

/** A code of a clock that differs by at most this many seconds is refused, with a hint about the clock. */
const clockSeconds = 600;

/** Generates a TOTP secret: 20 random bytes in Base32, as the usual apps expect. */
export const newTotpSecret = (): string => generateSecret({ length: 20 });

/** Returns the address that an app reads from the QR code. */
export function totpUri(secret: string, username: string): string {
  return generateURI({ issuer: brand.name, label: username, secret });
}

/**
 * Checks a code (RFC 6238: SHA-1, 6 digits, 30 seconds).
 * @param now - in seconds since 1970
 * @param lastStep - the time step of the last accepted code; null if there was none
 * @returns the time step of the code; undefined if the code is wrong or not newer than the last accepted one
 */
export async function totpStep(
  secret: string,
  code: string,
  now: number,
  lastStep: number | null,
): Promise<number | undefined> {
  return newStepOf(secret, code, now, toleranceSeconds, lastStep);
}

/**
 * Returns the time step of a code that would be accepted if the clock of its app were right, give or take ten minutes.
 * @param now - in seconds since 1970
 * @param lastStep - the time step of the last accepted code; null if there was none
 */
export async function misplacedStep(
  secret: string,
  code: string,
  now: number,
  lastStep: number | null,
): Promise<number | undefined> {
  return newStepOf(secret, code, now, clockSeconds, lastStep);
}

async function newStepOf(
  secret: string,
  code: string,
  now: number,
  tolerance: number,
  lastStep: number | null,
): Promise<number | undefined> {
  if (!/^\d{6}$/.test(code)) return undefined;
  const result = await verify({ secret, token: code, epoch: now, epochTolerance: tolerance });
  if (!result.valid || !('timeStep' in result)) return undefined;
  return lastStep !== null && result.timeStep <= lastStep ? undefined : result.timeStep;
}
