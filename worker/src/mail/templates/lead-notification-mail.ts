import type { LeadNotification, NotifiedLead } from '@dune-tide/db/follow-ups';
import { brand } from '@dune-tide/domain/brand';
import { leadDefinitions } from '@dune-tide/domain/leads';
import { leadListMail } from './lead-list-mail.ts';
import type { MailContent } from './mail-content.ts';

const dayFormat = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});

/**
 * Writes the email about assigned leads and mentions (docs/PRODUCT.md, "Notifications"). It contains the ids and the
 * kinds of the leads, and no text of a person. The subject is the same for all emails of a day, because some mail
 * programs show emails with different subjects as different conversations.
 * @throws {TypeError} if `publicUrl` is not a URL
 */
export function leadNotificationMail({
  leads,
  total,
  day,
  publicUrl,
}: Omit<LeadNotification, 'staffId'> & { readonly publicUrl: string }): MailContent {
  return leadListMail({
    topic: `Leads for you on ${dayFormat.format(new Date(day))}`,
    heading: total === 1 ? 'A lead for you' : `${total.toLocaleString('en-US')} leads for you`,
    summary: 'These leads were assigned to you, or a note mentions you.',
    leads: leads.map((lead) => ({
      id: lead.id,
      label: `${leadDefinitions[lead.kind].labels.sentence} ${lead.id.slice(0, 8)}`,
      note: reasonOf(lead),
    })),
    total,
    reason: `You are receiving this email because your staff account of ${brand.name} has this address.`,
    settingUrl: new URL('/admin/account#lead-emails', publicUrl).href,
    publicUrl,
  });
}

function reasonOf({ isAssigned, mentions }: NotifiedLead): string {
  const notes = mentions === 1 ? 'a note mentions you' : `${mentions} notes mention you`;
  const reasons = [...(isAssigned ? ['assigned to you'] : []), ...(mentions > 0 ? [notes] : [])].join(', ');
  return `${reasons.charAt(0).toUpperCase()}${reasons.slice(1)}`;
}
