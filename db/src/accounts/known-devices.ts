import { hash } from 'node:crypto';
import { formerDeviceDays, knownDeviceDays, maxKnownDevices } from '@dune-tide/domain/limits';
import type { Knex } from 'knex';
import { lockAccount } from './lock-account.ts';

/** The device of a sign-in. */
export interface RememberedDevice {
  readonly id: string;
  /** Whether the account did not know the device before. */
  readonly isNew: boolean;
}

/** The migration that created the table. Processes of 0.3.0 can run until some time after it. */
const tableMigration = '20261128-34-known-devices';

/** The entries of the audit log that end the devices of their account. 0.3.0 writes most of them too. */
const endingActions = [
  'password_changed',
  'password_set',
  'second_factor_added',
  'second_factor_removed',
  'recovery_codes_replaced',
  'member_deactivated',
  'devices_ended',
];

const lifetime = `interval '${knownDeviceDays} days'`;
const isLive = `ended_at is null and last_used_at > now() - ${lifetime}`;

/**
 * Stores the devices that have signed in to accounts (docs/PRODUCT.md, "Known devices"). The table has only the hash of
 * each token. The row of a device that ended stays, so that its token cannot be stored again.
 * @param db - a pool or a transaction
 */
export function knownDevices(db: Knex) {
  /** Returns the id of a live device. */
  async function find(staffId: string, token: string): Promise<string | undefined> {
    const row = await db('known_devices')
      .where({ staff_id: staffId, token_hash: hashOf(token) })
      .whereRaw(isLive)
      .first<{ id: string } | undefined>('id');
    return row?.id;
  }

  return {
    find,

    /**
     * Stores the device of a signed cookie of 0.3.0 at its first use. Does nothing if the device was stored before, if
     * the account's password or factors changed after the cookie was issued, or if no process of 0.3.0 can have issued
     * it.
     * @returns the id of the device, if it is live
     */
    async adopt(staffId: string, token: string, issuedAt: Date): Promise<string | undefined> {
      return db.transaction(async (transaction) => {
        // Waits for a change of the password or a factor that is being committed.
        await lockAccount(transaction, staffId);
        await transaction.raw(
          `insert into known_devices (staff_id, token_hash, last_used_at)
           select :staffId, :tokenHash, :issuedAt
           where not exists (
             select from audit_log where action in (${endingActions.map((action) => `'${action}'`).join(', ')}) and subject_id = :staffId and at >= :issuedAt
           ) and :issuedAt < (
             select migration_time + interval '${formerDeviceDays} days' from schema_migrations where name = :migration
           )
           on conflict do nothing`,
          { staffId, tokenHash: hashOf(token), issuedAt, migration: tableMigration },
        );
        await endSurplus(transaction, staffId);
        return knownDevices(transaction).find(staffId, token);
      });
    },

    /**
     * Records a sign-in from a device. A new device replaces the one whose last sign-in is the oldest.
     * @param token - of a live device, or a new one that cannot be guessed
     * @returns undefined if the device has ended in the meantime
     */
    async remember(staffId: string, token: string): Promise<RememberedDevice | undefined> {
      const { rows } = await db.raw<{ rows: RememberedDevice[] }>(
        `with expired as (
           delete from known_devices where staff_id = :staffId and last_used_at <= now() - ${lifetime}
         ), known as (
           update known_devices set last_used_at = now()
           where staff_id = :staffId and token_hash = :tokenHash and ${isLive}
           returning id
         ), added as (
           insert into known_devices (staff_id, token_hash)
           select :staffId, :tokenHash where not exists (select from known)
           on conflict do nothing
           returning id
         )
         select id, false as "isNew" from known union all select id, true from added`,
        { staffId, tokenHash: hashOf(token) },
      );
      await endSurplus(db, staffId);
      return rows[0];
    },

    /**
     * Ends the devices of an account.
     * @param keptSession - the hash of a session's id, whose device stays
     * @returns their number
     */
    async end(staffId: string, keptSession?: string): Promise<number> {
      return db('known_devices')
        .where({ staff_id: staffId, ended_at: null })
        .whereRaw('id is distinct from (select known_device_id from sessions where id_hash = ?)', [keptSession ?? ''])
        .update({ ended_at: db.fn.now() });
    },
  };
}

async function endSurplus(db: Knex, staffId: string): Promise<void> {
  await db.raw(
    `update known_devices set ended_at = now() where id in (
       select id from known_devices where staff_id = :staffId and ${isLive}
       order by last_used_at desc, id offset ${maxKnownDevices}
     )`,
    { staffId },
  );
}

function hashOf(token: string): string {
  return hash('sha256', token, 'hex');
}
