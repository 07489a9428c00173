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

/** Returns the initial text of a reply to a lead (docs/PRODUCT.md, "Replies"). */
export function replyText(lead: Lead): Reply {
  return {
    subject: `Re: ${isolated(serviceOrPosition(lead)?.trim() || 'Your inquiry')} - ${brand.name}`,
    text: [
      `Hello${addressedTo(lead)},`,
      `Thank you for getting in touch with ${brand.name}.`,
      `Best regards,\nThe ${brand.name} team`,
    ].join('\n\n'),
  };
}

/** Returns the position of the second paragraph, where staff start to write. */
export function placeBelowGreeting(text: string): number {
  const end = text.indexOf('\n\n');
  return end === -1 ? text.length : end + 2;
}
