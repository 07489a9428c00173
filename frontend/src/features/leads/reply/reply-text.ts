import { brand } from '@dune-tide/domain/brand';
import { leadDefinitions } from '@dune-tide/domain/leads';
import type { Lead } from '@dune-tide/domain/responses/lead';
import { isolated } from '../../../format/bidi-isolate.ts';
import { nameParts, serviceOrPosition } from '../lead-labels.ts';
import type { Reply } from './reply-draft.ts';

/** Words before a name that are not a name by themselves: titles, and the first halves of Arabic names. */
const dependentWord =
  /^(?:(?:mr|mrs|ms|miss|mx|dr|prof|eng|sir|sheikh|sheikha)\.?|abd|abdul|abdel|abdal|abu|umm|عبد|أبو|ابو|أم|ام|د\.|م\.|الشيخ|الدكتور|الدكتورة)$/iu;

/** Returns the first name in a full name, with a title before it. */
function firstNameIn(name: string): string {
  const words = name.trim().split(/\s+/u);
  const first = words.findIndex((word) => !dependentWord.test(word));
  return first === -1 ? name : words.slice(0, first + 1).join(' ');
}

/** Returns the first name of the person who sent a lead; undefined for a portfolio request. */
export function firstName(lead: Lead): string | undefined {
  if (leadDefinitions[lead.kind].name.length === 0) return undefined;
  const [first = '', ...others] = nameParts(lead);
  return others.length > 0 ? first : firstNameIn(first);
}

function addressedTo(lead: Lead): string {
  const name = firstName(lead);
  return name === undefined ? '' : ` ${isolated(name)}`;
}

const signOff = `Best regards,\nThe ${brand.name} team`;

/** A first line that addresses the reader, e.g. "Dear Noura,". */
const salutation = /^[^\n]{1,80}[,،!:]\n/u;

/** Returns an untouched draft with a recipe in place of its sign-off; the recipe alone if it has a salutation. */
export function draftOfRecipe(untouched: string, recipe: string): string {
  return salutation.test(recipe) ? recipe : untouched.slice(0, -signOff.length) + recipe;
}

/** Returns the initial text of a reply to a lead (docs/PRODUCT.md, "Replies"). */
export function replyText(lead: Lead): Reply {
  return {
    subject: `Re: ${isolated(serviceOrPosition(lead)?.trim() || 'Your inquiry')} - ${brand.name}`,
    text: [`Hello${addressedTo(lead)},`, `Thank you for getting in touch with ${brand.name}.`, signOff].join('\n\n'),
  };
}

/**
 * Returns the position in a draft where staff write: below the greeting of an untouched draft, otherwise at the end of
 * what they wrote. The last lines that are still those of the untouched draft, e.g. the sign-off, follow it.
 */
export function placeToWrite(text: string, untouched: string): number {
  if (text === untouched) {
    const end = text.indexOf('\n\n');
    return end === -1 ? text.length : end + 2;
  }
  const [lines, kept] = [text.split('\n'), untouched.split('\n')];
  let same = 0;
  while (same < lines.length && lines.at(-1 - same) === kept.at(-1 - same)) same += 1;
  return lines.slice(0, lines.length - same).join('\n').length;
}
