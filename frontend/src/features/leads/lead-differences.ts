import type { Lead } from './lead.ts';
import { leadStatus, statusLabel } from './lead-labels.ts';

/** A field that differs between two versions of a lead. */
export interface LeadDifference {
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

type Worked = Pick<Lead, 'status' | 'owner' | 'response' | 'spamSign'>;

const fields: Readonly<Record<string, (lead: Worked) => string>> = {
  Status: (lead) => statusLabel(leadStatus(lead as Lead)),
  Owner: ({ owner }) => owner?.name ?? 'No owner',
  Answer: ({ response }) => (response === 'answered' ? 'Answered' : 'Not answered'),
  Spam: ({ spamSign }) => (spamSign === null ? 'Not spam' : 'Possible spam'),
};

/** Returns what staff have changed between two versions of a lead; empty if it has the same values again. */
export function leadDifferences(before: Worked, after: Worked): readonly LeadDifference[] {
  return Object.entries(fields).flatMap(([label, textOf]) => {
    const [old, current] = [textOf(before), textOf(after)];
    return old === current ? [] : [{ label, before: old, after: current }];
  });
}
