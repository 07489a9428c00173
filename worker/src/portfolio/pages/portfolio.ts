import { caseStudies } from '@dune-tide/domain/content/case-studies';
import type { PageLayout } from '../layout.ts';
import type { Typesetter } from '../typesetter.ts';
import { caseStudyPage } from './case-study.ts';
import { contactPage } from './contact.ts';
import { coverPage } from './cover.ts';
import { servicesPage } from './services.ts';

/**
 * Lays out every page of the portfolio, in order.
 * @param publicUrl - the site's address
 */
export function portfolioPages(typesetter: Typesetter, publicUrl: string): PageLayout[] {
  const first = 2;
  return [
    coverPage(typesetter),
    ...caseStudies.map((study, index) => caseStudyPage(typesetter, study, index, first + index, publicUrl)),
    servicesPage(typesetter, first + caseStudies.length),
    contactPage(typesetter, first + caseStudies.length + 1, publicUrl),
  ];
}
