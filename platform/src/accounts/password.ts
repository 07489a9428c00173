import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';

/** The cost of argon2id, the library's default algorithm (docs/PRODUCT.md, "Passwords"). */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Runs two hashes concurrently, so that many sign-ins leave processor and memory for the visitors' forms. */
const inTurn = pLimit(2);

/** About a second of work. Further requests are rejected, since they would wait too long. */
const maxWaiting = 40;

/** Thrown when too many passwords wait to be hashed or checked. */
export class PasswordQueueFullError extends Error {
  override readonly name = 'PasswordQueueFullError';
}

const base64 = (bytes: number): string => randomBytes(bytes).toString('base64').replaceAll('=', '');

/** A hash that matches no password. Sign-ins with an unknown username are checked against it to take the same time. */
const dummyHash = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${base64(16)}$${base64(32)}`;

/**
 * Hashes a password for storage.
 * @returns the hash in PHC format, with its salt and cost
 * @throws {PasswordQueueFullError}
 */
export function hashPassword(password: string): Promise<string> {
  return waitTurn(() => hash(password, cost));
}

/**
 * Checks a password against a hash.
 * @param passwordHash - undefined if the account does not exist: returns false, after the same time
 * @throws {PasswordQueueFullError}
 */
export function verifyPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  return waitTurn(() => verify(passwordHash ?? dummyHash, password));
}

/** Generates a password for a new account, to be shown once. */
export function randomPassword(): string {
  return randomBytes(12).toString('base64url');
}

async function waitTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (inTurn.pendingCount >= maxWaiting) {
    throw new PasswordQueueFullError('Too many passwords are being checked or changed. Please try again in a moment.');
  }
  return inTurn(work);
}
