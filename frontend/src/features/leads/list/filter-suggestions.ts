import { leadResponses, leadStatuses } from '@dune-tide/domain/leads';
import { foundIn, searchTerms } from '@dune-tide/domain/search';
import { type LeadFilter, responseLabels } from '../lead-filter.ts';
import { statusLabel } from '../lead-labels.ts';
import type { LeadStaff } from '../lead-staff.ts';
import { leadTabs } from '../lead-tabs.ts';
import { ownerChoices } from '../work/owner-choices.ts';

/** A filter that the words in the search field name. */
export interface FilterSuggestion {
  /** E.g. "Status: Won". */
  readonly label: string;
  /** The filter with it, without the words that name it. */
  readonly filter: LeadFilter;
}

/** Shorter words would name too many filters. */
const minLength = 2;
/** The number of words above which a text names no filter. */
const maxWords = 8;
const mostShown = 6;

/** Returns the filters whose values the words in the search field name: statuses, owners, responses and kinds. */
export function filterSuggestions(filter: LeadFilter, staff: LeadStaff): readonly FilterSuggestion[] {
  const runs = runsOf(filter.q.split(/\s+/).filter(Boolean));
  if (runs.length === 0) return [];
  return filtersOf(filter, staff)
    .flatMap(({ name, label, part }) => {
      const run = runs.find(({ words }) => isNamedBy(label, words));
      return run ? [{ label: `${name}: ${label}`, filter: { ...filter, ...part, q: run.others } }] : [];
    })
    .slice(0, mostShown);
}

/** Returns the consecutive words, the longest first, each with the words that remain without them. */
function runsOf(words: readonly string[]): { readonly words: string; readonly others: string }[] {
  if (words.length > maxWords) return [];
  return words
    .flatMap((_, from) => words.slice(from).map((_last, count) => ({ from, to: from + count + 1 })))
    .sort((a, b) => b.to - b.from - (a.to - a.from))
    .map(({ from, to }) => ({
      words: words.slice(from, to).join(' '),
      others: [...words.slice(0, from), ...words.slice(to)].join(' '),
    }));
}

function isNamedBy(label: string, words: string): boolean {
  const terms = searchTerms(words);
  return words.length >= minLength && terms.length > 0 && terms.every((term) => foundIn(label, [term]).length > 0);
}

interface NamedFilter {
  readonly name: string;
  readonly label: string;
  readonly part: Partial<LeadFilter>;
}

/** Returns the filters that are not set. */
function filtersOf({ status, owner, response, tab }: LeadFilter, staff: LeadStaff): readonly NamedFilter[] {
  const me = staff.me?.id;
  const owners = ownerChoices(staff, null).map(({ value, label }) => ({
    name: 'Owner',
    label,
    part: { owner: value === null ? 'none' : value === me ? 'me' : value },
  }));
  return [
    ...leadStatuses
      .filter((each) => !status.includes(each))
      .map((each) => ({
        name: 'Status',
        label: statusLabel(each),
        part: { status: leadStatuses.filter((known) => known === each || status.includes(known)) },
      })),
    ...owners.filter(({ part }) => part.owner !== owner),
    ...leadResponses
      .filter((each) => !response.includes(each))
      .map((each) => ({
        name: 'Response',
        label: responseLabels[each],
        part: { response: leadResponses.filter((known) => known === each || response.includes(known)) },
      })),
    ...leadTabs
      .filter(({ id }) => id !== 'all' && id !== tab)
      .map(({ id, label }) => ({ name: 'Type', label, part: { tab: id } })),
  ];
}
