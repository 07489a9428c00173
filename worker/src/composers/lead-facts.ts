import type { StoredLead } from '@dune-tide/db/leads';
import { contactServices } from '@dune-tide/domain/forms/contact';
import type { Fact } from '../mail/templates/mail-design.ts';

/**
 * Returns the facts that tell staff who wrote about what: the name, the company and the service, if the form has them.
 */
export function leadFacts(lead: StoredLead): readonly Fact[] {
  return factsOf(lead)
    .map(({ term, description }) => ({ term, description: description.replaceAll(/\s+/g, ' ').trim() }))
    .filter(({ description }) => description !== '');
}

function factsOf(lead: StoredLead): readonly Fact[] {
  switch (lead.kind) {
    case 'contact': {
      const { firstName, lastName, service } = lead.answers;
      return [
        { term: 'Name', description: `${firstName} ${lastName}` },
        { term: 'Service', description: contactServices.find(({ value }) => value === service)?.label ?? service },
      ];
    }
    case 'service_inquiry': {
      const { name, company, service, serviceType } = lead.answers;
      return [
        { term: 'Name', description: name },
        { term: 'Company', description: company ?? '' },
        { term: 'Service', description: [service, serviceType].join(', ') },
      ];
    }
    case 'career_application': {
      const { firstName, lastName, position } = lead.answers;
      return [
        { term: 'Name', description: `${firstName} ${lastName}` },
        { term: 'Position', description: position },
      ];
    }
    case 'portfolio_request':
      return [];
  }
}
