import { limitedKinds } from '@dune-tide/domain/follow-ups';
import type { optOutResponse } from '@dune-tide/domain/responses/follow-up';
import type { Presented } from '@dune-tide/domain/responses/schema';
import type { Knex } from 'knex';
import { newId, selectList } from '../connection/index.ts';

/** A mailbox that gets no automatic emails. */
export type OptOut = Presented<typeof optOutResponse>;

/** The sort key of an opt-out in the list. */
export type OptOutPlace = Pick<OptOut, 'createdAt' | 'id'>;

const columns = selectList({ id: 'id', mailbox: 'mailbox', createdAt: 'created_at' } satisfies Record<
  keyof OptOut,
  string
>);

/**
 * Records which mailboxes have opted out of automatic emails (docs/PRODUCT.md, "Opt-out").
 * @param db - a pool or a transaction
 */
export function emailOptOuts(db: Knex) {
  return {
    /**
     * Opts out the mailbox of the visitor who receives a follow-up. A second opt-out changes nothing.
     * @returns false if no such follow-up exists
     */
    async add(followUpId: string): Promise<boolean> {
      const { rows } = await db.raw<{ rows: unknown[] }>(
        `with email as (
           select mailbox_of(recipient) as mailbox from follow_ups where id = :followUpId and kind = any (:limitedKinds)
         ), added as (
           insert into email_opt_outs (id, mailbox) select :id, mailbox from email on conflict (mailbox) do nothing
         )
         select from email`,
        { id: newId(), followUpId, limitedKinds: [...limitedKinds] },
      );
      return rows.length === 1;
    },

    /**
     * Allows automatic emails to a mailbox again.
     * @returns whether the opt-out existed
     */
    async remove(id: string): Promise<boolean> {
      return (await db('email_opt_outs').where({ id }).delete()) === 1;
    },

    /**
     * Returns a page of the opt-outs, newest first.
     * @param after - the last opt-out of the previous page; undefined for the first page
     * @param email - an address of the mailbox; undefined for all mailboxes
     */
    async page(limit: number, after?: OptOutPlace, email?: string): Promise<OptOut[]> {
      const { rows } = await db.raw<{ rows: OptOut[] }>(
        `select ${columns} from email_opt_outs
         where ${after ? '(created_at, id) < (:createdAt::timestamptz, :id::uuid)' : 'true'}
           and ${email === undefined ? 'true' : 'mailbox = mailbox_of(:email)'}
         order by created_at desc, id desc limit :limit`,
        {
          limit,
          ...(after && { createdAt: after.createdAt.toISOString(), id: after.id }),
          ...(email !== undefined && { email }),
        },
      );
      return rows;
    },

    /** Returns the number of opt-outs. */
    async total(): Promise<number> {
      const [row] = await db('email_opt_outs').count<{ count: string }[]>('* as count');
      return Number(row?.count);
    },
  };
}
