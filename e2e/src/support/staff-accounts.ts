import { randomBytes } from 'node:crypto';
import { hashPassword } from '@dune-tide/api/staff/password';
import type { Knex } from 'knex';
import type { BrowserContext } from 'playwright-core';

/** Apart from `staff.ts`, whose hooks only mocha has. */

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** A staff account that a test made. */
export interface Member extends Credentials {
  readonly id: string;
  readonly name: string;
}

interface MemberOptions {
  readonly name?: string;
  readonly username?: string;
  readonly isActive?: boolean;
  readonly lastSignInAt?: Date;
}

const password = 'a password of the browser tests';
let hashed: Promise<string> | undefined;

/** Makes an account; its username is like no other's unless one is given. */
export async function addMember(database: Knex, options: MemberOptions = {}): Promise<Member> {
  const { name = 'Layla Haddad', isActive = true, lastSignInAt = null } = options;
  const username = options.username ?? `layla-${randomBytes(4).toString('hex')}`;
  hashed ??= hashPassword(password);
  const [row] = await database('staff')
    .insert({ name, username, is_active: isActive, last_sign_in_at: lastSignInAt, password_hash: await hashed })
    .returning<{ id: string }[]>('id');
  if (!row) throw new Error('No account was stored');
  return { id: row.id, name, username, password };
}

/**
 * Signs somebody in, over the API.
 * @param context - gets the session's cookie
 * @throws when the API refuses
 */
export async function signInAs(context: BrowserContext, siteUrl: string, account: Credentials): Promise<void> {
  const answer = await context.request.post(`${siteUrl}/api/admin/login`, {
    data: { username: account.username, password: account.password },
    headers: { Origin: new URL(siteUrl).origin },
  });
  if (!answer.ok()) throw new Error(`Signing in was answered ${answer.status()}`);
}
