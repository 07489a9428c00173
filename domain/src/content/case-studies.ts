import { jabalTrailStudy } from './case-studies/jabal-trail.ts';
import { lulwaSkincareStudy } from './case-studies/lulwa-skincare.ts';
import { marsaFreightStudy } from './case-studies/marsa-freight.ts';
import { naraSolarStudy } from './case-studies/nara-solar.ts';
import { quaysideWorksStudy } from './case-studies/quayside-works.ts';
import { rutabGrowersStudy } from './case-studies/rutab-growers.ts';
import { sabkhaCapitalStudy } from './case-studies/sabkha-capital.ts';
import { tamraMarketStudy } from './case-studies/tamra-market.ts';
import { umoyaSurfStudy } from './case-studies/umoya-surf.ts';
import { wadiSidrStudy } from './case-studies/wadi-sidr.ts';
import { witklipRoastersStudy } from './case-studies/witklip-roasters.ts';
import type { CaseStudy } from './case-study.ts';

/** Every case study, in the order of the site and of the portfolio PDF. */
export const caseStudies: readonly CaseStudy[] = [
  tamraMarketStudy,
  witklipRoastersStudy,
  wadiSidrStudy,
  marsaFreightStudy,
  lulwaSkincareStudy,
  naraSolarStudy,
  sabkhaCapitalStudy,
  jabalTrailStudy,
  quaysideWorksStudy,
  rutabGrowersStudy,
  umoyaSurfStudy,
];

/** The two large cards. */
export const featuredCaseStudies = caseStudies.filter((study) => study.placement === 'featured');

/** The three small cards. */
export const highlightCaseStudies = caseStudies.filter((study) => study.placement === 'highlight');

/** The six behind Show More. */
export const moreCaseStudies = caseStudies.filter((study) => study.placement === 'more');
