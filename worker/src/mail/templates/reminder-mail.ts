import type { RemindedLead } from '@dune-tide/db/follow-ups';
import { brand } from '@dune-tide/domain/brand';
import { leadDefinitions } from '@dune-tide/domain/leads';
import { receivedAt } from './lead-in-mail.ts';
import { leadListMail } from './lead-list-mail.ts';
import type { MailContent } from './mail-content.ts';

export interface Reminder {
  /** The leads to show, the one that is due first in front. */
  readonly leads: readonly RemindedLead[];
  /** The number of leads that need an answer, shown or not. */
  readonly total: number;
  /** The site's address. */
  readonly publicUrl: string;
}

/**
 * Writes the email that lists leads that are due soon or overdue (docs/PRODUCT.md, "Reminders"). Like a notice, it
 * contains no personal data.
 * @throws {TypeError} if `publicUrl` is not a URL
 */
export function reminderMail({ leads, total, publicUrl }: Reminder): MailContent {
  const heading = total === 1 ? 'A lead needs an answer' : `${total === 0 ? 'No' : total} leads need an answer`;
  const summary =
    total === 0
      ? 'All leads of this reminder have been answered in the meantime.'
      : `Each lead needs a reply within ${brand.responsePromiseHours} hours.`;
  return leadListMail({
    topic: heading,
    heading,
    summary,
    leads: leads.map((lead) => ({
      id: lead.id,
      label: `${leadDefinitions[lead.kind].labels.sentence}, received ${receivedAt(lead.createdAt).time}`,
      note: dueText(lead),
    })),
    total,
    reason: `You are receiving this email because this address gets the reminders of ${brand.name}.`,
    publicUrl,
  });
}

function dueText({ dueAt, response }: RemindedLead): string {
  if (dueAt === null) return 'No longer due';
  return `${response === 'overdue' ? 'Overdue since' : 'Due'} ${receivedAt(dueAt).time}`;
}
