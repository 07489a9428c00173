import type { Knex } from 'knex';

/** Makes other changes of the account, and sign-ins to it, wait until the transaction ends. */
export async function lockAccount(transaction: Knex, staffId: string): Promise<void> {
  await transaction('staff').where({ id: staffId }).forNoKeyUpdate().select('id');
}
