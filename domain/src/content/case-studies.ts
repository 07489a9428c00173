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

/** The two large cards of the home page (docs/PRODUCT.md, "Home page"). */
export const featuredCaseStudies: readonly CaseStudy[] = [tamraMarketStudy, witklipRoastersStudy];

/** The three small cards. */
export const highlightCaseStudies: readonly CaseStudy[] = [wadiSidrStudy, marsaFreightStudy, lulwaSkincareStudy];

/** The six behind Show More. */
export const moreCaseStudies: readonly CaseStudy[] = [
  naraSolarStudy,
  sabkhaCapitalStudy,
  jabalTrailStudy,
  quaysideWorksStudy,
  rutabGrowersStudy,
  umoyaSurfStudy,
];

/** Every case study, in the order of the site and of the portfolio PDF. */
export const caseStudies: readonly CaseStudy[] = [...featuredCaseStudies, ...highlightCaseStudies, ...moreCaseStudies];
