import { randomBytes } from 'node:crypto';
import { hashPassword, type PasswordCost } from '@dune-tide/platform/accounts/password';
import type { StaffRole } from '@dune-tide/domain/staff-roles';
import type { Knex } from 'knex';

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** A staff account that a test has created. */
export interface TestAccount extends Credentials {
  readonly id: string;
  readonly name: string;
}

export interface AccountOptions {
  readonly name?: string;
  readonly username?: string;
  readonly email?: string;
  /** Left out for the schema of a release without roles, whose accounts become owners. */
  readonly role?: StaffRole;
  readonly isActive?: boolean;
  readonly lastSignInAt?: Date;
}

/** The lowest cost of argon2id, for tests of anything but the cost. */
export const lowestCost: PasswordCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };

const password = 'a password of the browser tests';
let hashed: Promise<string> | undefined;

/** Creates an account. The default username is unique. */
export async function addAccount(database: Knex, options: AccountOptions = {}): Promise<TestAccount> {
  const { name = 'Layla Haddad', email, role, isActive = true, lastSignInAt = null } = options;
  const username = options.username ?? `layla-${randomBytes(4).toString('hex')}`;
  hashed ??= hashPassword(password, lowestCost);
  const [row] = await database('staff')
    .insert({
      name,
      username,
      ...(email !== undefined && { email }),
      ...(role && { role }),
      is_active: isActive,
      last_sign_in_at: lastSignInAt,
      password_hash: await hashed,
    })
    .returning<{ id: string }[]>('id');
  if (!row) throw new Error('No account was stored');
  return { id: row.id, name, username, password };
}
