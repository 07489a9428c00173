import { guessNotice } from '@dune-tide/domain/limits';
import type { Knex } from 'knex';
import { lockAccount } from './lock-account.ts';
import { accountNotices } from './notices.ts';

const guesses = {
  password_known: { action: 'second_factor_refused', from: guessNotice.wrongCodes },
  password_guessed: { action: 'sign_in_refused', from: guessNotice.refusedSignIns },
} as const;

/**
 * Notifies the owners of accounts of guesses at their secrets (docs/PRODUCT.md, "Notices about accounts"). The refusals
 * are entries of the audit log.
 */
export function guessNotices(db: Knex) {
  return {
    /**
     * Writes a notice if the refusals of the last day reach the number for it, at most once a day.
     * @param staffId - undefined for an unknown username, which takes the same time
     */
    async report(staffId: string | undefined, event: keyof typeof guesses): Promise<void> {
      const { action, from } = guesses[event];
      const { rows } = await db.raw<{ rows: { isRecent: boolean }[] }>(
        `select at > now() - interval '1 day' as "isRecent" from audit_log
         where subject_id = :staffId and action = :action
         order by position desc offset ${from - 1} limit 1`,
        { staffId: staffId ?? null, action },
      );
      if (staffId === undefined || !rows[0]?.isRecent) return;
      await db.transaction(async (transaction) => {
        await lockAccount(transaction, staffId);
        const { rows: accounts } = await transaction.raw<{ rows: { email: string | null }[] }>(
          `select email from staff where id = :staffId and not exists (
             select from account_notices join follow_ups using (id)
             where staff_id = :staffId and event = :event and created_at > now() - interval '1 day'
           )`,
          { staffId, event },
        );
        const [account] = accounts;
        if (!account) return;
        await accountNotices(transaction).add({ staffId, recipient: account.email, event, actorId: undefined });
      });
    },
  };
}
