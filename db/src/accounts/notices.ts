import { teamEvents, type AccountEvent } from '@dune-tide/domain/account-events';
import { brand } from '@dune-tide/domain/brand';
import type { Knex } from 'knex';
import { newFollowUp } from '../follow-ups/index.ts';

/** The content of a notice about an account. */
export interface AccountNotice {
  readonly event: AccountEvent;
  readonly at: Date;
  readonly username: string;
  /** The name of the member of staff who made the change, possibly the owner; null for an operator. */
  readonly actorName: string | null;
  /** Whether the account made the change itself. */
  readonly isOwn: boolean;
  /** Whether the notice goes to the team instead of the account. */
  readonly isToTeam: boolean;
  /** The browser and the system of a new device, e.g. "Firefox on Windows"; null if they are unknown. */
  readonly device: string | null;
}

/**
 * Writes and reads the notices about accounts (docs/PRODUCT.md, "Notices about accounts").
 * @param db - the transaction of the change that a notice reports; a pool to read
 * @param staffEmail - STAFF_EMAIL, which is notified of what concerns the team; if it is not set, the owners are
 */
export function accountNotices(db: Knex, staffEmail?: string) {
  /** Without the address of the account itself, which may be the new one of an attacker. */
  const teamAddresses = async (accountId: string): Promise<readonly string[]> =>
    staffEmail === undefined
      ? db('staff')
          .where({ role: 'owner', is_active: true })
          .whereNot({ id: accountId })
          .whereNotNull('email')
          .pluck<string[]>('email')
      : [staffEmail];

  return {
    /**
     * Writes the notices of an event, one for each address. The sweep of the workers finds them.
     * @returns their ids, that of the account's own address first
     * @param notice.recipient - the address that the account had before the change; null if it had none
     * @param notice.actorId - undefined if an operator made the change
     */
    async add(notice: {
      readonly staffId: string;
      readonly recipient: string | null;
      readonly event: AccountEvent;
      readonly actorId: string | undefined;
      readonly device?: string | null;
    }): Promise<readonly string[]> {
      const { staffId, recipient, event, actorId, device = null } = notice;
      const ids: string[] = [];
      const team = teamEvents.includes(event) ? await teamAddresses(staffId) : [];
      const isTheirs = (address: string): boolean => address.toLowerCase() === recipient?.toLowerCase();
      for (const address of [...(recipient === null ? [] : [recipient]), ...team.filter((each) => !isTheirs(each))]) {
        const followUp = newFollowUp({ kind: 'account_notice', recipient: address }, brand.mailDomain);
        await db('follow_ups').insert(followUp);
        await db('account_notices').insert({
          id: followUp.id,
          staff_id: staffId,
          event,
          actor_id: actorId ?? null,
          device,
          is_to_team: address !== recipient,
        });
        ids.push(followUp.id);
      }
      return ids;
    },

    /**
     * Returns the notice that a follow-up sends.
     * @throws {Error} if the follow-up is not a notice
     */
    async of(followUpId: string): Promise<AccountNotice> {
      const notice = await db('account_notices')
        .join('follow_ups', 'follow_ups.id', 'account_notices.id')
        .join('staff', 'staff.id', 'account_notices.staff_id')
        .leftJoin('staff as actor', 'actor.id', 'account_notices.actor_id')
        .where('account_notices.id', followUpId)
        .first<AccountNotice | undefined>(
          'account_notices.event',
          'account_notices.device',
          'follow_ups.created_at as at',
          'staff.username',
          'actor.name as actorName',
          'account_notices.is_to_team as isToTeam',
          db.raw('account_notices.actor_id is not distinct from account_notices.staff_id as "isOwn"'),
        );
      if (!notice) throw new Error(`The follow-up ${followUpId} is not a notice about an account`);
      return notice;
    },
  };
}
