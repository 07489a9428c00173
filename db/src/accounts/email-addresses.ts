import { emailConfirmationHours } from '@dune-tide/domain/limits';
import type { Knex } from 'knex';
import { auditLog } from '../audit-log/index.ts';
import { accountNotices } from './notices.ts';

const isPending = `created_at > now() - interval '${emailConfirmationHours} hours'`;

/** Selects the address of an account that waits for its confirmation. */
export const pendingEmail = `(
  select email from pending_emails where staff_id = staff.id and pending_emails.${isPending}
) as "pendingEmail"`;

/** A new address of an account. */
interface NewEmail {
  readonly staffId: string;
  /** The confirmed address that the account has. */
  readonly before: string | null;
  /** Null removes the address. */
  readonly email: string | null;
  /** The account that entered the address; undefined for an operator, whose addresses count as confirmed. */
  readonly actorId: string | undefined;
}

/**
 * Removes the address of an account or sets that of an operator, and asks the owner of any other new address to confirm
 * it (docs/PRODUCT.md, "Email addresses of accounts"). An address that waits is replaced.
 * @param staffEmail - STAFF_EMAIL, for notices
 */
export async function setEmail(transaction: Knex.Transaction, change: NewEmail, staffEmail?: string): Promise<void> {
  const { staffId, before, email, actorId } = change;
  await transaction('pending_emails').where({ staff_id: staffId }).delete();
  if (email === before) return;
  if (email === null || actorId === undefined) return replaceEmail(transaction, change, staffEmail);
  const [followUpId] = await accountNotices(transaction).add({
    staffId,
    recipient: email,
    event: 'email_to_confirm',
    actorId,
  });
  await transaction('pending_emails').insert({
    staff_id: staffId,
    follow_up_id: followUpId,
    email,
    actor_id: actorId,
  });
  await auditLog(transaction).add({ action: 'email_entered', actor: { id: actorId }, subjectId: staffId });
}

/**
 * Removes the address that an account has entered for itself, because someone who knew the former password may have
 * entered it.
 */
export async function dropOwnPendingEmail(transaction: Knex.Transaction, staffId: string): Promise<void> {
  await transaction('pending_emails').where({ staff_id: staffId, actor_id: staffId }).delete();
}

/** Reads and confirms the addresses that wait. */
export function emailConfirmations(db: Knex, staffEmail?: string) {
  return {
    /**
     * Returns the address that a link confirms.
     * @param followUpId - the id of the email with the link
     * @returns undefined if the link was used, replaced or is too old, or if the account was deactivated
     */
    async find(followUpId: string): Promise<{ readonly email: string; readonly username: string } | undefined> {
      return waiting(db, followUpId).first<{ email: string; username: string } | undefined>(
        'pending_emails.email',
        'staff.username',
      );
    },

    /** Confirms an address. @returns false if `find` returns none */
    async confirm(followUpId: string): Promise<boolean> {
      return db.transaction(async (transaction) => {
        const found = await waiting(transaction, followUpId)
          .forNoKeyUpdate('staff')
          .first<(NewEmail & { readonly actorId: string }) | undefined>(
            'staff_id as staffId',
            'staff.email as before',
            'pending_emails.email',
            'actor_id as actorId',
          );
        // A second request waits for the lock of the first, and then finds nothing to delete.
        if (!found || (await transaction('pending_emails').where({ follow_up_id: followUpId }).delete()) === 0) {
          return false;
        }
        await replaceEmail(transaction, found, staffEmail);
        return true;
      });
    },
  };
}

const waiting = (db: Knex, followUpId: string) =>
  db('pending_emails')
    .join('staff', 'staff.id', 'pending_emails.staff_id')
    .where({ follow_up_id: followUpId, is_active: true })
    .whereRaw(`pending_emails.${isPending}`);

async function replaceEmail(
  transaction: Knex.Transaction,
  { staffId, before, email, actorId }: NewEmail,
  staffEmail: string | undefined,
): Promise<void> {
  await transaction('staff').where({ id: staffId }).update({ email, updated_at: transaction.fn.now() });
  const actor = actorId === undefined ? 'operator' : { id: actorId };
  await auditLog(transaction).add({ action: 'email_set', actor, subjectId: staffId });
  await accountNotices(transaction, staffEmail).add({ staffId, recipient: before, event: 'email_changed', actorId });
}
