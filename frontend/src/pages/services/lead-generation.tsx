import { leadGenerationArt, leadGenerationArtTall } from '@dune-tide/domain/art/service-pages/lead-generation';
import { servicePageContents } from '@dune-tide/domain/content/service-pages';
import { servicePages } from '@dune-tide/domain/forms/service-pages';
import { ServicePage } from './ServicePage.tsx';
import type { ServicePageDefinition } from './service-page-definition.ts';

const definition: ServicePageDefinition = {
  content: servicePageContents['lead-generation'],
  questions: servicePages['lead-generation'],
  art: { above: leadGenerationArt, beside: leadGenerationArtTall },
  fit: 'wholeFromRight',
  ground: 'teal',
  writing: 'light',
  parts: ['head', 'art', 'claims', 'included'],
  claims: 'lines',
  example: 'marsa-freight',
  included: 'lines',
};

export function LeadGenerationPage() {
  return <ServicePage definition={definition} />;
}
