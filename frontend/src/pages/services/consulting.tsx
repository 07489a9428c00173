import { consultingArt, consultingArtTall } from '@dune-tide/domain/art/service-pages/consulting';
import { servicePageContents } from '@dune-tide/domain/content/service-pages';
import { servicePages } from '@dune-tide/domain/forms/service-pages';
import { ServicePage } from './ServicePage.tsx';
import type { ServicePageDefinition } from './service-page-definition.ts';

const definition: ServicePageDefinition = {
  content: servicePageContents.consulting,
  questions: servicePages.consulting,
  art: { above: consultingArt, beside: consultingArtTall },
  fit: 'whole',
  ground: 'sandDeep',
  writing: 'scheme',
  parts: ['head', 'included', 'art', 'claims', 'steps'],
  claims: 'single',
  example: 'wadi-sidr',
  included: 'thirds',
};

export function ConsultingPage() {
  return <ServicePage definition={definition} />;
}
