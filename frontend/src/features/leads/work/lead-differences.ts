import type { Lead } from '@dune-tide/domain/responses/lead';
import { leadStatus, statusLabel } from '../lead-labels.ts';
import type { HistoryEntry } from '../leads-api.ts';

/** A field that differs between two versions of a lead. */
export interface LeadDifference {
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

type Worked = Pick<Lead, 'status' | 'owner' | 'response'>;

interface WorkedField {
  readonly label: string;
  readonly textOf: (lead: Worked) => string;
  /** The entries that change the field. */
  readonly kinds: readonly HistoryEntry['kind'][];
}

const fields: readonly WorkedField[] = [
  { label: 'Status', textOf: (lead) => statusLabel(leadStatus(lead as Lead)), kinds: ['status'] },
  { label: 'Owner', textOf: ({ owner }) => owner?.name ?? 'No owner', kinds: ['owner'] },
  {
    label: 'Answer',
    textOf: ({ response }) => (response === 'answered' ? 'Answered' : 'Not answered'),
    // The first change of the status and a reply that was sent are answers too.
    kinds: ['answered', 'not_answered', 'status', 'reply'],
  },
];

/** Returns what staff have changed between two versions of a lead. */
export function leadDifferences(before: Worked, after: Worked): readonly LeadDifference[] {
  return fields.flatMap(({ label, textOf }) => {
    const [old, current] = [textOf(before), textOf(after)];
    return old === current ? [] : [{ label, before: old, after: current }];
  });
}

/**
 * Returns the authors of the differences, each once.
 * @param history - of the lead, oldest first
 * @returns null for an operator
 */
export function authorsOf(
  differences: readonly LeadDifference[],
  history: readonly HistoryEntry[],
): readonly HistoryEntry['actor'][] {
  const changed = fields.filter(({ label }) => differences.some((difference) => difference.label === label));
  const latestFirst = history.filter((entry) => entry.kind !== 'reply' || entry.state === 'sent').reverse();
  const last = (kinds: readonly HistoryEntry['kind'][]) => latestFirst.find(({ kind }) => kinds.includes(kind));
  const entries = changed.flatMap(({ kinds }) => last(kinds) ?? []);
  const authors = new Map(entries.map(({ actor }) => [actor?.id, actor]));
  return [...authors.values()];
}
