import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { fairQueue } from './fair-queue.ts';

/** The cost of a hash by argon2id, the library's default algorithm. */
export interface PasswordCost {
  /** In KiB. */
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/** docs/PRODUCT.md, "Passwords". */
const standardCost: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Thrown when too many passwords wait to be hashed or checked. */
export class PasswordQueueFullError extends Error {
  override readonly name = 'PasswordQueueFullError';
}

const base64 = (bytes: number): string => randomBytes(bytes).toString('base64').replaceAll('=', '');

/**
 * Returns the form in which passwords are compared, so that all keyboards produce the same one: NFC, with ASCII spaces
 * only (RFC 8265 §4.2, OpaqueString).
 */
const comparable = (password: string): string => password.replace(/\p{Zs}/gu, ' ').normalize('NFC');

/**
 * Hashes a password for storage.
 * @returns the hash in PHC format, with its salt and cost
 */
export function hashPassword(password: string, cost: PasswordCost = standardCost): Promise<string> {
  return hash(comparable(password), cost);
}

/** The result of checking a password. */
export interface PasswordCheck {
  readonly isRight: boolean;
  /** The hash to store instead, if an earlier release has hashed the password as it was typed. */
  readonly replacement?: string;
}

/** Hashes and checks the passwords of a process, a few at a time. */
export interface Passwords {
  /**
   * Hashes a password for storage.
   * @throws {PasswordQueueFullError}
   */
  hash(password: string): Promise<string>;
  /**
   * Checks a password against a hash.
   * @param passwordHash - undefined if the account does not exist: the password is wrong, after the same time
   * @param network - the network of an unknown device, which shares the queue fairly with others; undefined for a known
   *   device and for signed-in staff, who have a reserve
   * @throws {PasswordQueueFullError}
   */
  check(passwordHash: string | undefined, password: string, network: string | undefined): Promise<PasswordCheck>;
}

/**
 * Creates the queue of a process.
 * @param options.cost - of new hashes
 * @param options.matches - compares a password with a hash
 */
export function openPasswords({
  cost = standardCost,
  matches = verify,
}: {
  readonly cost?: PasswordCost;
  readonly matches?: (passwordHash: string, password: string) => Promise<boolean>;
} = {}): Passwords {
  /**
   * Runs two tasks concurrently, so that many sign-ins leave processor and memory for the visitors' forms. About a
   * second of work may wait, since further requests would wait too long.
   */
  const inTurn = fairQueue({
    concurrency: 2,
    maxWaiting: 40,
    maxReserved: 20,
    refusal: () =>
      new PasswordQueueFullError('Too many passwords are being checked or changed. Please try again in a moment.'),
  });
  /** Matches no password. Sign-ins with an unknown username are checked against it to take the same time. */
  const dummyHash = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${base64(16)}$${base64(32)}`;

  return {
    hash: (password) => inTurn(undefined, () => hashPassword(password, cost)),
    check(passwordHash, password, network) {
      const stored = passwordHash ?? dummyHash;
      const normal = comparable(password);
      return inTurn(network, async () => {
        if (await matches(stored, normal)) return { isRight: true };
        if (normal === password || !(await matches(stored, password))) return { isRight: false };
        return { isRight: true, replacement: await hashPassword(password, cost) };
      });
    },
  };
}

/** Generates a password of 128 random bits for a new account, to be shown once. */
export function randomPassword(): string {
  return randomBytes(16).toString('base64url');
}
