import { formatCount } from '../../../format/numbers.ts';
import type { ListedLead } from '../lead.ts';
import { statusLabel } from '../lead-labels.ts';
import type { LeadStaff } from '../lead-staff.ts';
import type { BulkChange } from '../leads-api.ts';

/**
 * Describes a change of several leads before it is made: the new value, and how many leads have which value now, e.g.
 * "New status: Won. Current: New (100), Won (20)."
 */
export function bulkQuestion(
  leads: readonly ListedLead[],
  { status, ownerId, answered, spam }: Omit<BulkChange, 'ids'>,
  { people = [] }: LeadStaff,
): string {
  if (status !== undefined) {
    return `New status: ${statusLabel(status)}. ${current(leads, (lead) => statusLabel(lead.status))}`;
  }
  if (ownerId !== undefined) {
    const owner = ownerId === null ? 'none' : (people.find(({ id }) => id === ownerId)?.name ?? 'another account');
    return `New owner: ${owner}. ${current(leads, (lead) => lead.owner?.name ?? 'No owner')}`;
  }
  if (answered !== undefined) {
    const isAnswered = (lead: ListedLead) => lead.answeredAt !== null || lead.response === 'answered';
    const now = current(leads, (lead) => (isAnswered(lead) ? 'Answered' : 'Not answered'));
    return `${answered ? 'They will count as answered.' : 'They will count as not answered yet.'} ${now}`;
  }
  const now = current(leads, ({ spamSign }) => (spamSign === null ? 'Not spam' : 'Held as spam'));
  return `${spam === true ? 'Their waiting emails will not be sent.' : 'Their emails will be sent.'} ${now}`;
}

function current(leads: readonly ListedLead[], valueOf: (lead: ListedLead) => string): string {
  const counts = new Map<string, number>();
  for (const value of leads.map(valueOf)) counts.set(value, (counts.get(value) ?? 0) + 1);
  const parts = [...counts].sort(([, a], [, b]) => b - a).map(([value, count]) => `${value} (${formatCount(count)})`);
  return `Current: ${parts.join(', ')}.`;
}
