import { mvpDevelopmentArt, mvpDevelopmentArtTall } from '@dune-tide/domain/art/service-pages/mvp-development';
import { servicePageContents } from '@dune-tide/domain/content/service-pages';
import { servicePages } from '@dune-tide/domain/forms/service-pages';
import { ServicePage } from './ServicePage.tsx';
import type { ServicePageDefinition } from './service-page-definition.ts';

const definition: ServicePageDefinition = {
  content: servicePageContents['mvp-development'],
  questions: servicePages['mvp-development'],
  art: { above: mvpDevelopmentArt, beside: mvpDevelopmentArtTall },
  fit: 'whole',
  ground: 'night',
  writing: 'light',
  parts: ['head', 'art', 'claims', 'included'],
  claims: 'single',
  example: 'tamra-market',
  included: 'lines',
};

export function MvpDevelopmentPage() {
  return <ServicePage definition={definition} />;
}
