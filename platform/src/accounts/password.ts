import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';

/** reliability, "Settings": argon2id, which is the library's default kind. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Two at a time, so that a storm of sign-ins leaves processor and memory to the visitors' forms. */
const inTurn = pLimit(2);

/** About a second of work; whoever comes later is better told so than kept waiting. */
const maxWaiting = 40;

/** Too many passwords wait to be hashed or checked. */
export class PasswordQueueFullError extends Error {
  override readonly name = 'PasswordQueueFullError';
}

const base64 = (bytes: number): string => randomBytes(bytes).toString('base64').replaceAll('=', '');

/** The hash of no password: a sign-in with an unknown username is checked against it and takes as long as any other. */
const dummyHash = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${base64(16)}$${base64(32)}`;

/**
 * Hashes a password for storage; the salt and the cost are part of the result.
 * @throws {PasswordQueueFullError}
 */
export function hashPassword(password: string): Promise<string> {
  return waitTurn(() => hash(password, cost));
}

/**
 * Whether a password is the one of the hash.
 * @param passwordHash - undefined where there is no account: never right, and takes as long
 * @throws {PasswordQueueFullError}
 */
export function verifyPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  return waitTurn(() => verify(passwordHash ?? dummyHash, password));
}

/** A password for somebody who has none yet, to be shown once. */
export function randomPassword(): string {
  return randomBytes(12).toString('base64url');
}

async function waitTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (inTurn.pendingCount >= maxWaiting) {
    throw new PasswordQueueFullError(
      'Too many passwords are being checked or changed at once. Please try again in a moment.',
    );
  }
  return inTurn(work);
}
