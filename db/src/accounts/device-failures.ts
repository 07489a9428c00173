import { deviceLimit } from '@dune-tide/domain/limits';
import type { Knex } from 'knex';
import { lockAccount } from './lock-account.ts';

/** The secrets that are guarded: the password of a sign-in, the password of a signed-in account, and a code. */
export const guardedSecrets = ['sign-in', 'own-password', 'second-factor'] as const;
export type GuardedSecret = (typeof guardedSecrets)[number];

/** A device of an account. */
export interface DeviceOfAccount {
  readonly id: string;
  readonly staffId: string;
}

/** An attempt that was counted, or the time in milliseconds until the next one is allowed. */
export type CountedAttempt = { readonly attemptId: string } | { readonly waitMs: number };

/** A failure of the last hour. */
interface Failure {
  readonly isOwn: boolean;
  readonly secret: string;
  readonly isForgiven: boolean;
  /** In milliseconds. */
  readonly age: number;
}

const windowMs = deviceLimit.windowSeconds * 1_000;
const accountWindowMs = deviceLimit.accountWindowSeconds * 1_000;

/**
 * Counts the failed sign-ins of known devices (docs/PRODUCT.md, "Sign-in attempts"). An attempt is stored as a failure
 * before its secret is checked, so that concurrent attempts cannot exceed the limits.
 */
export function deviceFailures(db: Knex) {
  return {
    /** Counts an attempt, unless a limit refuses it. */
    async take({ id, staffId }: DeviceOfAccount, secret: GuardedSecret): Promise<CountedAttempt> {
      return db.transaction(async (transaction): Promise<CountedAttempt> => {
        await lockAccount(transaction, staffId);
        const { rows: failures } = await transaction.raw<{ rows: Failure[] }>(
          `with passed as (
             delete from device_failures
             where staff_id = :staffId and at <= now() - interval '${deviceLimit.accountWindowSeconds} seconds'
           )
           select known_device_id = :id as "isOwn", secret, is_forgiven as "isForgiven",
                  (extract(epoch from now() - at) * 1000)::float8 as age
           from device_failures
           where staff_id = :staffId and at > now() - interval '${deviceLimit.accountWindowSeconds} seconds'
           order by at`,
          { id, staffId },
        );
        const waitMs = waitOf(failures, secret);
        if (waitMs > 0) return { waitMs };
        const [row] = await transaction('device_failures')
          .insert({ staff_id: staffId, known_device_id: id, secret })
          .returning<{ id: string }[]>('id');
        if (!row) throw new Error('No attempt was stored');
        return { attemptId: row.id };
      });
    },

    /** Removes an attempt that was not a failure. */
    async release(attemptId: string): Promise<void> {
      await db('device_failures').where({ id: attemptId }).delete();
    },

    /**
     * Removes an attempt that succeeded, and resets the device's own limit. The failures of the device still count for
     * the account.
     */
    async succeed(attemptId: string): Promise<void> {
      await db.raw(
        `with attempt as (
           delete from device_failures where id = :attemptId returning id, known_device_id, secret
         )
         update device_failures failure set is_forgiven = true from attempt
         where failure.known_device_id = attempt.known_device_id and failure.secret = attempt.secret
           and failure.id <> attempt.id`,
        { attemptId },
      );
    },
  };
}

/** Returns the milliseconds until the next attempt is allowed; 0 if it is allowed now. */
function waitOf(failures: readonly Failure[], secret: GuardedSecret): number {
  const own = failures.filter(({ isOwn, isForgiven, age }) => isOwn && !isForgiven && age < windowMs);
  const limiting = own.filter((failure) => failure.secret === secret).at(-deviceLimit.failures);
  const ofDevice = limiting ? windowMs - limiting.age : 0;
  const limitingAccount = failures.at(-deviceLimit.accountFailures);
  const newest = own.at(-1);
  // Above the limit of the account, a device has one try in each window, so that no other device can lock it out.
  const ofAccount =
    limitingAccount && newest ? Math.min(accountWindowMs - limitingAccount.age, windowMs - newest.age) : 0;
  return Math.max(ofDevice, ofAccount);
}
