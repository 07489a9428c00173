import { brand } from '@dune-tide/domain/brand';
import {
  caseStudyHeads,
  caseStudyPath,
  type CaseStudySlug,
  caseStudySlugs,
} from '@dune-tide/domain/content/case-study-heads';
import type { CaseStudyStory } from '@dune-tide/domain/content/case-study';
import { homeHero } from '@dune-tide/domain/content/home-hero';
import { kingrosePrices } from '@dune-tide/domain/content/kingrose-prices';
import { privacyIntroduction, privacyPath, privacyTitle } from '@dune-tide/domain/content/privacy-link';
import type { Service } from '@dune-tide/domain/content/service';
import type { ComponentType } from 'react';

/** The subject of a page as structured data for search engines (schema.org). */
export type PageSubject =
  | { readonly kind: 'studio' }
  | { readonly kind: 'service'; readonly slug: Service['slug'] }
  | { readonly kind: 'case study'; readonly slug: CaseStudySlug }
  | { readonly kind: 'open positions' };

/** A page's code and title. */
export interface PageContent {
  /** Loads the page's code: a component without properties. */
  readonly load: () => Promise<ComponentType>;
  /** At most 60 characters, so that search engines show it in full. */
  readonly title: string;
}

/** A public page: its address, its code and its metadata. */
export interface Page extends PageContent {
  readonly path: string;
  /** The file of the build that the server responds with. */
  readonly file: string;
  /** 70 to 160 characters. */
  readonly description: string;
  /** The text in the preview image of shared links. */
  readonly previewText: string;
  readonly subject?: PageSubject;
  /** Whether search engines and the sitemap leave it out. */
  readonly isHidden?: boolean;
}

/** The page for unknown addresses. Only the build requests it by its own path. */
export const notFoundPage: Page = {
  path: '/404',
  file: '404.html',
  load: async () => (await import('../pages/NotFoundPage.tsx')).NotFoundPage,
  title: `Page Not Found – ${brand.name}`,
  description: homeHero.introduction,
  previewText: 'Page Not Found',
  isHidden: true,
};

/** Loads the texts and pictures of one case study. */
const caseStudyStories: Readonly<Record<CaseStudySlug, () => Promise<{ readonly story: CaseStudyStory }>>> = {
  'tamra-market': () => import('@dune-tide/domain/content/case-study-stories/tamra-market'),
  'witklip-roasters': () => import('@dune-tide/domain/content/case-study-stories/witklip-roasters'),
  'wadi-sidr': () => import('@dune-tide/domain/content/case-study-stories/wadi-sidr'),
  'marsa-freight': () => import('@dune-tide/domain/content/case-study-stories/marsa-freight'),
  'lulwa-skincare': () => import('@dune-tide/domain/content/case-study-stories/lulwa-skincare'),
  'nara-solar': () => import('@dune-tide/domain/content/case-study-stories/nara-solar'),
  'sabkha-capital': () => import('@dune-tide/domain/content/case-study-stories/sabkha-capital'),
  'jabal-trail': () => import('@dune-tide/domain/content/case-study-stories/jabal-trail'),
  'quayside-works': () => import('@dune-tide/domain/content/case-study-stories/quayside-works'),
  'rutab-growers': () => import('@dune-tide/domain/content/case-study-stories/rutab-growers'),
  'umoya-surf': () => import('@dune-tide/domain/content/case-study-stories/umoya-surf'),
};

function caseStudyPage(slug: CaseStudySlug): Page {
  const { client, title, category } = caseStudyHeads[slug];
  return {
    path: caseStudyPath(slug),
    file: `case-studies/${slug}.html`,
    load: async () => {
      const [{ caseStudyPageOf }, { story }] = await Promise.all([
        import('../pages/case-studies/CaseStudyPage.tsx'),
        caseStudyStories[slug](),
      ]);
      return caseStudyPageOf(story);
    },
    title: `${client}: case study – ${brand.name}`,
    previewText: title,
    description: `${title}: ${category} for ${client}. The problem, the product and the result.`,
    subject: { kind: 'case study', slug },
  };
}

/**
 * The public pages (docs/PRODUCT.md, "Pages"). The router, the prerendered files, the metadata, the link previews, the
 * sitemap and the size budgets are derived from this list.
 */
export const pages: readonly Page[] = [
  {
    path: '/',
    file: 'index.html',
    load: async () => (await import('../pages/home/HomePage.tsx')).HomePage,
    title: `${brand.name}: a digital studio in ${brand.cities.join(' and ')}`,
    description: homeHero.introduction,
    previewText: homeHero.headline,
    subject: { kind: 'studio' },
  },
  {
    path: '/project-inquiry',
    file: 'project-inquiry.html',
    load: async () => (await import('../pages/project-inquiry/ProjectInquiryPage.tsx')).ProjectInquiryPage,
    title: `Project Inquiry – ${brand.name}`,
    previewText: 'Tell us about your project',
    description: `Tell ${brand.name} about your project in four steps. A tailored proposal follows within ${brand.responsePromiseHours} hours.`,
  },
  {
    path: '/services/ugc-creatives',
    file: 'services/ugc-creatives.html',
    load: async () => (await import('../pages/services/ugc-creatives.tsx')).UgcCreativesPage,
    title: `UGC Creatives – ${brand.name}`,
    previewText: 'UGC Creatives',
    description:
      'User-generated brand creatives from 500+ verified creators: casting, briefing, figures you can read and 30-day campaign support.',
    subject: { kind: 'service', slug: 'ugc-creatives' },
  },
  {
    path: '/services/mvp-development',
    file: 'services/mvp-development.html',
    load: async () => (await import('../pages/services/mvp-development.tsx')).MvpDevelopmentPage,
    title: `Development Services – ${brand.name}`,
    previewText: 'Development Services',
    description:
      'MVPs in 4-8 weeks, internal AI tools, custom dashboards and AI pilot projects, built in short rounds and made to be kept.',
    subject: { kind: 'service', slug: 'mvp-development' },
  },
  {
    path: '/services/lead-generation',
    file: 'services/lead-generation.html',
    load: async () => (await import('../pages/services/lead-generation.tsx')).LeadGenerationPage,
    title: `Lead Generation – ${brand.name}`,
    previewText: 'Lead Generation',
    description:
      'Lead generation systems with 95% targeting accuracy, 300% more qualified leads and 45% better conversion in 90 days.',
    subject: { kind: 'service', slug: 'lead-generation' },
  },
  {
    path: '/services/consulting',
    file: 'services/consulting.html',
    load: async () => (await import('../pages/services/consulting.tsx')).ConsultingPage,
    title: `Strategic Consulting – ${brand.name}`,
    previewText: 'Strategic Consulting',
    description:
      'Strategic planning, process optimization and market analysis: 150% average ROI in 12 months, in a 5-step engagement.',
    subject: { kind: 'service', slug: 'consulting' },
  },
  {
    path: '/careers',
    file: 'careers.html',
    load: async () => (await import('../pages/careers/CareersPage.tsx')).CareersPage,
    title: `Careers and Training – ${brand.name}`,
    previewText: 'Careers and Training',
    description: `Open positions in ${brand.cities.join(', ')} and remote, and three training programs in UGC, MVP development and lead generation.`,
    subject: { kind: 'open positions' },
  },
  {
    path: '/kingrose',
    file: 'kingrose.html',
    load: async () => (await import('../pages/kingrose/KingrosePage.tsx')).KingrosePage,
    title: `KingRose: AI for firms and municipalities – ${brand.name}`,
    previewText: 'AI for investment firms and municipalities',
    description: `AI tools at ${kingrosePrices.tools} for investment firms and municipalities, in five steps from discovery to partnership.`,
  },
  ...caseStudySlugs.map(caseStudyPage),
  {
    path: privacyPath,
    file: 'privacy.html',
    load: async () => (await import('../pages/privacy/PrivacyPage.tsx')).PrivacyPage,
    title: `${privacyTitle} – ${brand.name}`,
    previewText: privacyTitle,
    description: privacyIntroduction,
  },
];
