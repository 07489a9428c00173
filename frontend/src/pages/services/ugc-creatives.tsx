import { ugcCreativesArt, ugcCreativesArtTall } from '@dune-tide/domain/art/service-pages/ugc-creatives';
import { servicePageContents } from '@dune-tide/domain/content/service-pages';
import { servicePages } from '@dune-tide/domain/forms/service-pages';
import { ServicePage } from './ServicePage.tsx';
import type { ServicePageDefinition } from './service-page-definition.ts';

const definition: ServicePageDefinition = {
  content: servicePageContents['ugc-creatives'],
  questions: servicePages['ugc-creatives'],
  art: { above: ugcCreativesArt, beside: ugcCreativesArtTall },
  fit: 'whole',
  ground: 'terracotta',
  writing: 'light',
  parts: ['head', 'art', 'claims', 'included'],
  claims: 'row',
  example: 'witklip-roasters',
  included: 'pairs',
};

export function UgcCreativesPage() {
  return <ServicePage definition={definition} />;
}
