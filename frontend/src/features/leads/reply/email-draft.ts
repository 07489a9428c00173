import { brand } from '@dune-tide/domain/brand';
import { isolated } from '../../../format/bidi-isolate.ts';
import type { Lead } from '../lead.ts';
import { serviceOrPosition } from '../lead-labels.ts';
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
  if (lead.kind === 'portfolio_request') return undefined;
  return lead.kind === 'service_inquiry' ? firstNameIn(lead.name) : lead.firstName;
}

function addressedTo(lead: Lead): string {
  const name = firstName(lead);
  return name === undefined ? '' : ` ${isolated(name)}`;
}

/** Returns the initial text of a reply to a lead (docs/PRODUCT.md, "Replies"). */
export function emailDraft(lead: Lead): Reply {
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
