import { brand } from '@dune-tide/domain/brand';
import {
  caseStudyHeads,
  caseStudyPath,
  type CaseStudySlug,
  caseStudySlugs,
} from '@dune-tide/domain/content/case-study-heads';
import { privacyPath, privacyTitle } from '@dune-tide/domain/content/privacy-link';
import type { ComponentType } from 'react';

/** A page's code and title. */
export interface PageContent {
  /** Loads the page's code: a component without properties. */
  readonly load: () => Promise<ComponentType>;
  /** At most 60 characters, so that search engines show it in full. */
  readonly title: string;
}

/** A public page. */
export interface Page extends PageContent {
  readonly path: string;
}

/** The page for unknown addresses. Only the build requests it by its own path. */
export const notFoundPage: Page = {
  path: '/404',
  load: async () => (await import('../pages/NotFoundPage.tsx')).NotFoundPage,
  title: `Page Not Found – ${brand.name}`,
};

function caseStudyPage(slug: CaseStudySlug): Page {
  const { client } = caseStudyHeads[slug];
  return {
    path: caseStudyPath(slug),
    load: async () => (await import('../pages/case-studies/load-case-study-page.ts')).loadCaseStudyPage(slug),
    title: `${client}: case study – ${brand.name}`,
  };
}

/**
 * The public pages (docs/PRODUCT.md, "Pages"). The router, the prerendered files, the sitemap and the size budgets are
 * derived from this list. `build/published-pages.ts` adds what only the build needs.
 */
export const pages: readonly Page[] = [
  {
    path: '/',
    load: async () => (await import('../pages/home/HomePage.tsx')).HomePage,
    title: `${brand.name}: a digital studio in ${brand.cities.join(' and ')}`,
  },
  {
    path: '/project-inquiry',
    load: async () => (await import('../pages/project-inquiry/ProjectInquiryPage.tsx')).ProjectInquiryPage,
    title: `Project Inquiry – ${brand.name}`,
  },
  {
    path: '/services/ugc-creatives',
    load: async () => (await import('../pages/services/ugc-creatives.tsx')).UgcCreativesPage,
    title: `UGC Creatives – ${brand.name}`,
  },
  {
    path: '/services/mvp-development',
    load: async () => (await import('../pages/services/mvp-development.tsx')).MvpDevelopmentPage,
    title: `Development Services – ${brand.name}`,
  },
  {
    path: '/services/lead-generation',
    load: async () => (await import('../pages/services/lead-generation.tsx')).LeadGenerationPage,
    title: `Lead Generation – ${brand.name}`,
  },
  {
    path: '/services/consulting',
    load: async () => (await import('../pages/services/consulting.tsx')).ConsultingPage,
    title: `Strategic Consulting – ${brand.name}`,
  },
  {
    path: '/careers',
    load: async () => (await import('../pages/careers/CareersPage.tsx')).CareersPage,
    title: `Careers and Training – ${brand.name}`,
  },
  {
    path: '/kingrose',
    load: async () => (await import('../pages/kingrose/KingrosePage.tsx')).KingrosePage,
    title: `KingRose: AI for firms and municipalities – ${brand.name}`,
  },
  ...caseStudySlugs.map(caseStudyPage),
  {
    path: privacyPath,
    load: async () => (await import('../pages/privacy/PrivacyPage.tsx')).PrivacyPage,
    title: `${privacyTitle} – ${brand.name}`,
  },
];
