import type { Knex } from 'knex';
import { reachDatabase } from './unavailable.ts';

/** The accounts of the staff. */
export function staffAccounts(db: Knex) {
  return {
    /**
     * Makes the first account; once there is any, nothing happens.
     * @param passwordHash - argon2id, never the password
     * @returns whether the account was made
     */
    async createFirst(account: { username: string; name: string; passwordHash: string }): Promise<boolean> {
      const { rowCount } = await reachDatabase(
        db.transaction(async (transaction) => {
          // Processes that start together must not each see an empty table.
          await transaction.raw('lock table staff in share row exclusive mode');
          return transaction.raw<{ rowCount: number }>(
            `insert into staff (username, name, password_hash)
             select :username, :name, :passwordHash where not exists (select from staff)`,
            account,
          );
        }),
      );
      return rowCount === 1;
    },

    /** The oldest account's username, if there is any. */
    async firstUsername(): Promise<string | undefined> {
      const row = await reachDatabase(
        db('staff').orderBy('created_at').orderBy('id').first<{ username: string } | undefined>('username'),
      );
      return row?.username;
    },
  };
}
