import { maxPasskeys } from '@dune-tide/domain/limits';
import type { ownPasskey } from '@dune-tide/domain/responses/own-account';
import type { Presented } from '@dune-tide/domain/responses/schema';
import type { Knex } from 'knex';
import type { AccountActor } from './accounts.ts';
import { asActor, completeAddition, completeRemoval, type AddedFactor } from './second-factor-changes.ts';

/** A passkey as its account sees it. */
export type OwnPasskey = Presented<typeof ownPasskey>;

/** A passkey as it was registered. */
export interface NewPasskey {
  /** In Base64url. */
  readonly credentialId: string;
  /** A COSE key. */
  readonly publicKey: Uint8Array;
  /** The signature counter. */
  readonly counter: number;
  /** How the browser reaches the authenticator, e.g. `usb`. */
  readonly transports: readonly string[];
  readonly name: string;
}

/** The key and the counter that a signature is checked against. */
export interface PasskeyKey {
  readonly publicKey: Uint8Array<ArrayBuffer>;
  readonly counter: number;
}

/**
 * Stores the passkeys of accounts (docs/PRODUCT.md, "Second factor").
 * @param db - a pool or a transaction
 */
export function passkeys(db: Knex) {
  return {
    /** Returns the passkeys of an account, the oldest first. */
    async list(staffId: string): Promise<OwnPasskey[]> {
      return db('passkeys')
        .where({ staff_id: staffId })
        .orderBy(['created_at', 'id'])
        .select<OwnPasskey[]>('id', 'name', 'created_at as createdAt', 'last_used_at as lastUsedAt');
    },

    /** Returns how a browser finds the passkeys of an account. */
    async descriptors(staffId: string): Promise<{ readonly id: string; readonly transports: string[] }[]> {
      return db('passkeys')
        .where({ staff_id: staffId })
        .orderBy(['created_at', 'id'])
        .select<{ id: string; transports: string[] }[]>('credential_id as id', 'transports');
    },

    /**
     * Adds a passkey to the actor's own account, with recovery codes if it is the first factor.
     * @param codes - new recovery codes
     * @returns `taken` if the passkey was added before; `full` if the account has as many as it can have; undefined if
     *   the session has ended
     */
    async add(
      actor: AccountActor,
      { credentialId, publicKey, counter, transports, name }: NewPasskey,
      codes: readonly string[],
    ): Promise<AddedFactor | 'taken' | 'full' | undefined> {
      return asActor(db, actor, async (transaction) => {
        const { rows } = await transaction.raw<{ rows: { count: number }[] }>(
          'select count(*)::integer as count from passkeys where staff_id = ?',
          [actor.id],
        );
        if ((rows[0]?.count ?? 0) >= maxPasskeys) return 'full';
        const added = await transaction('passkeys')
          .insert({
            staff_id: actor.id,
            credential_id: credentialId,
            public_key: Buffer.from(publicKey),
            counter,
            transports: [...transports],
            name,
          })
          .onConflict('credential_id')
          .ignore()
          .returning('id');
        if (added.length === 0) return 'taken';
        return completeAddition(transaction, actor, codes);
      });
    },

    /** Returns the key of a passkey. @returns undefined if the account does not have the passkey */
    async keyOf(staffId: string, credentialId: string): Promise<PasskeyKey | undefined> {
      const row = await db('passkeys')
        .where({ staff_id: staffId, credential_id: credentialId })
        .first<{ public_key: Buffer; counter: string } | undefined>('public_key', 'counter');
      return row && { publicKey: new Uint8Array(row.public_key), counter: Number(row.counter) };
    },

    /**
     * Records a use. A counter that does not grow shows a copy of the authenticator; one that stays 0 is not supported
     * by it (Web Authentication, 6.1.1).
     * @param counter - the signature counter of the use
     * @returns false if the passkey was removed, or a concurrent use has recorded the same counter or a higher one
     */
    async use(staffId: string, credentialId: string, counter: number): Promise<boolean> {
      const { rowCount } = await db.raw<{ rowCount: number }>(
        `update passkeys set counter = :counter, last_used_at = now()
         where staff_id = :staffId and credential_id = :credentialId
           and (counter < :counter or (counter = 0 and cast(:counter as bigint) = 0))`,
        { staffId, credentialId, counter },
      );
      return rowCount === 1;
    },

    /**
     * Removes a passkey of the actor's own account, and the recovery codes with the last factor.
     * @returns whether the account had it; undefined if the session has ended
     */
    async remove(actor: AccountActor, id: string): Promise<boolean | undefined> {
      return asActor(db, actor, async (transaction) => {
        if ((await transaction('passkeys').where({ staff_id: actor.id, id }).delete()) === 0) return false;
        await completeRemoval(transaction, actor.id, actor);
        return true;
      });
    },
  };
}
