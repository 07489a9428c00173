import { brand } from '@dune-tide/domain/brand';
import { isolated } from '../../format/bidi-isolate.ts';
import type { Lead } from './lead.ts';
import { serviceOrPosition } from './lead-labels.ts';
import type { Reply } from './reply-form.ts';

function addressedTo(lead: Lead): string {
  if (lead.kind === 'portfolio_request') return '';
  return ` ${isolated(lead.kind === 'service_inquiry' ? lead.name : lead.firstName)}`;
}

/** Returns the initial text of a reply to a lead (docs/PRODUCT.md, "Replies"). */
export function emailDraft(lead: Lead): Reply {
  return {
    subject: `Re: ${isolated(serviceOrPosition(lead)?.trim() || 'Your inquiry')} - ${brand.name}`,
    body: [
      `Hello${addressedTo(lead)},`,
      `Thank you for getting in touch with ${brand.name}.`,
      `Best regards,\nThe ${brand.name} team`,
    ].join('\n\n'),
  };
}
