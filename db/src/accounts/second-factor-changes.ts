import { hash } from 'node:crypto';
import type { Knex } from 'knex';
import { auditLog } from '../audit-log/index.ts';
import type { AccountActor } from './accounts.ts';
import { lockAccount } from './lock-account.ts';
import { accountNotices } from './notices.ts';
import { staffSessions } from './sessions.ts';

/** Whether a factor that was added is the only one of its account. The first one comes with recovery codes. */
export type AddedFactor = 'first' | 'further';

/**
 * Runs a change of the actor's own second factors in a transaction. Changes of one account run one after another.
 * @returns undefined if the session has ended
 */
export function asActor<Result>(
  db: Knex,
  actor: AccountActor,
  change: (transaction: Knex.Transaction) => Promise<Result>,
): Promise<Result | undefined> {
  return db.transaction(async (transaction) => {
    await lockAccount(transaction, actor.id);
    const isSignedIn = (await staffSessions(transaction).find(actor.sessionId)) !== undefined;
    return isSignedIn ? change(transaction) : undefined;
  });
}

/**
 * Completes the addition of a factor in its transaction: reports it, and stores the recovery codes if it is the first
 * one.
 * @param codes - new recovery codes
 */
export async function completeAddition(
  transaction: Knex.Transaction,
  actor: AccountActor,
  codes: readonly string[],
): Promise<AddedFactor> {
  const isFirst = (await countFactors(transaction, actor.id)) === 1;
  if (isFirst) await replaceCodes(transaction, actor.id, codes);
  await reportFactorChange(transaction, actor.id, 'second_factor_added', actor);
  return isFirst ? 'first' : 'further';
}

/**
 * Completes the removal of a factor in its transaction: reports it, and removes the recovery codes if it was the last
 * one.
 * @param actor - undefined if an operator removed it
 */
export async function completeRemoval(
  transaction: Knex.Transaction,
  staffId: string,
  actor: AccountActor | undefined,
): Promise<void> {
  if ((await countFactors(transaction, staffId)) === 0) await replaceCodes(transaction, staffId, []);
  await reportFactorChange(transaction, staffId, 'second_factor_removed', actor);
}

/** Replaces the recovery codes of an account. */
export async function replaceCodes(
  transaction: Knex.Transaction,
  staffId: string,
  codes: readonly string[],
): Promise<void> {
  await transaction('recovery_codes').where({ staff_id: staffId }).delete();
  if (codes.length === 0) return;
  await transaction('recovery_codes').insert(
    codes.map((code) => ({ staff_id: staffId, code_hash: hashOfCode(staffId, code) })),
  );
}

/** Recovery codes have 128 random bits, so that a fast hash is enough. */
export const hashOfCode = (staffId: string, code: string): string => hash('sha256', `${staffId} ${code}`, 'hex');

/** Returns the number of confirmed apps and passkeys of an account. */
async function countFactors(transaction: Knex.Transaction, staffId: string): Promise<number> {
  const { rows } = await transaction.raw<{ rows: { count: number }[] }>(
    `select (
       (select count(*) from totp_factors where staff_id = :staffId and confirmed_at is not null)
       + (select count(*) from passkeys where staff_id = :staffId)
     )::integer as count`,
    { staffId },
  );
  return rows[0]?.count ?? 0;
}

/**
 * Reports a change of the second factors in its transaction: ends all other sessions and devices of the account, audits
 * the change and notifies the owner.
 * @param actor - undefined if an operator made the change
 */
export async function reportFactorChange(
  transaction: Knex.Transaction,
  staffId: string,
  event: 'second_factor_added' | 'second_factor_removed' | 'recovery_codes_replaced',
  actor: AccountActor | undefined,
): Promise<void> {
  await staffSessions(transaction).endAfterChange(staffId, actor?.sessionId);
  await auditLog(transaction).add({ action: event, actor: actor ?? 'operator', subjectId: staffId });
  const account = await transaction('staff').where({ id: staffId }).first<{ email: string | null }>('email');
  await accountNotices(transaction).add({ staffId, recipient: account.email, event, actorId: actor?.id });
}
