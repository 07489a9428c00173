import { hash } from '@node-rs/argon2';

/** reliability, "Settings": argon2id, which is the library's default kind. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes a password for storage; the salt and the cost are part of the result. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, cost);
}
