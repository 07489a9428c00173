import type { StoredLead } from '@dune-tide/db/leads';
import { leadDefinitions, valuesOf } from '@dune-tide/domain/leads';
import { noticeOf } from '@dune-tide/domain/leads/definition';
import type { Fact } from '../mail/templates/mail-design.ts';

/** Returns the facts that tell staff who wrote about what. */
export function leadFacts(lead: StoredLead): readonly Fact[] {
  return noticeOf(leadDefinitions[lead.kind], valuesOf(lead)).map(({ label, text }) => ({
    term: label,
    description: text,
  }));
}
