import { leadDefinitions } from '@dune-tide/domain/leads';
import { searchedParts } from '@dune-tide/domain/leads/definition';
import { foundIn, type SearchTerm } from '@dune-tide/domain/search';
import type { ListedLead } from '../lead.ts';

/** A part of a field that a search has found. */
interface Passage {
  /** The label of the field. */
  readonly label: string;
  /** The text around the first word that was found, without line breaks. */
  readonly text: string;
}

/** The number of characters before the first word that was found. */
const before = 32;
/** The length of a passage, more than a row has room for. */
const length = 240;

/**
 * Returns where a search has found words that are not in the row of a lead, e.g. in the message.
 * @param shown - the texts in the row
 * @returns undefined if the row shows every word
 */
export function foundElsewhere(
  lead: ListedLead,
  words: readonly SearchTerm[],
  shown: readonly string[],
): Passage | undefined {
  const missing = words.filter((word) => shown.every((text) => foundIn(text, [word]).length === 0));
  if (missing.length === 0) return undefined;
  for (const { label, text } of searchedParts(leadDefinitions[lead.kind], lead)) {
    const [first] = foundIn(text, missing);
    if (first) return { label, text: passage(text, first.from) };
  }
  return undefined;
}

/** Returns the part of a text around a place, from the beginning of a word. */
function passage(text: string, place: number): string {
  const start = Math.max(0, place - before);
  const gap = start === 0 ? 0 : text.slice(start, place).search(/\s/);
  // A long text without spaces is cut inside a word.
  const from = gap === -1 ? place : start + gap;
  const part = text
    .slice(from, from + length)
    .replace(/\s+/g, ' ')
    .trim();
  return from === 0 ? part : `…${part}`;
}
