import { brand } from '@dune-tide/domain/brand';
import {
  caseStudyHeads,
  type CaseStudyHead,
  caseStudyPath,
  type CaseStudySlug,
} from '@dune-tide/domain/content/case-study-heads';
import { homeHero } from '@dune-tide/domain/content/home-hero';
import { kingrosePrices } from '@dune-tide/domain/content/kingrose-prices';
import { privacyIntroduction, privacyPath, privacyTitle } from '@dune-tide/domain/content/privacy-link';
import type { Service } from '@dune-tide/domain/content/service';
import { notFoundPage as notFound, type Page, pages } from '../src/app/pages.ts';

/** The subject of a page as structured data for search engines (schema.org). */
export type PageSubject =
  | { readonly kind: 'studio' }
  | { readonly kind: 'service'; readonly slug: Service['slug'] }
  | { readonly kind: 'case study'; readonly slug: CaseStudySlug }
  | { readonly kind: 'open positions' };

/** The parts of a page that only its file has, so that no script contains them. */
interface PageMetadata {
  /** 70 to 160 characters. */
  readonly description: string;
  /** The text in the preview image of shared links. */
  readonly previewText: string;
  readonly subject?: PageSubject;
  /** Whether search engines and the sitemap leave it out. */
  readonly isHidden?: boolean;
}

/** A public page with its metadata and its file, which the server responds with. */
export interface PublishedPage extends Page, PageMetadata {
  readonly file: string;
}

const metadata: Readonly<Record<string, PageMetadata>> = {
  '/': {
    description: homeHero.introduction,
    previewText: homeHero.headline,
    subject: { kind: 'studio' },
  },
  '/project-inquiry': {
    previewText: 'Tell us about your project',
    description: `Tell ${brand.name} about your project in four steps. A tailored proposal follows within ${brand.responsePromiseHours} hours.`,
  },
  '/services/ugc-creatives': {
    previewText: 'UGC Creatives',
    description:
      'User-generated brand creatives from 500+ verified creators: casting, briefing, figures you can read and 30-day campaign support.',
    subject: { kind: 'service', slug: 'ugc-creatives' },
  },
  '/services/mvp-development': {
    previewText: 'Development Services',
    description:
      'MVPs in 4-8 weeks, internal AI tools, custom dashboards and AI pilot projects, built in short rounds and made to be kept.',
    subject: { kind: 'service', slug: 'mvp-development' },
  },
  '/services/lead-generation': {
    previewText: 'Lead Generation',
    description:
      'Lead generation systems with 95% targeting accuracy, 300% more qualified leads and 45% better conversion in 90 days.',
    subject: { kind: 'service', slug: 'lead-generation' },
  },
  '/services/consulting': {
    previewText: 'Strategic Consulting',
    description:
      'Strategic planning, process optimization and market analysis: 150% average ROI in 12 months, in a 5-step engagement.',
    subject: { kind: 'service', slug: 'consulting' },
  },
  '/careers': {
    previewText: 'Careers and Training',
    description: `Open positions in ${brand.cities.join(', ')} and remote, and three training programs in UGC, MVP development and lead generation.`,
    subject: { kind: 'open positions' },
  },
  '/kingrose': {
    previewText: 'AI for investment firms and municipalities',
    description: `AI tools at ${kingrosePrices.tools} for investment firms and municipalities, in five steps from discovery to partnership.`,
  },
  [privacyPath]: {
    previewText: privacyTitle,
    description: privacyIntroduction,
  },
  ...Object.fromEntries(
    Object.values(caseStudyHeads).map((head) => [caseStudyPath(head.slug), caseStudyMetadata(head)]),
  ),
  [notFound.path]: {
    description: homeHero.introduction,
    previewText: 'Page Not Found',
    isHidden: true,
  },
};

function caseStudyMetadata({ slug, client, title, category }: CaseStudyHead): PageMetadata {
  return {
    previewText: title,
    description: `${title}: ${category} for ${client}. The problem, the product and the result.`,
    subject: { kind: 'case study', slug },
  };
}

function published(page: Page): PublishedPage {
  const found = metadata[page.path];
  if (!found) throw new Error(`${page.path} has no metadata`);
  return { ...page, ...found, file: page.path === '/' ? 'index.html' : `${page.path.slice(1)}.html` };
}

/** The public pages as the build publishes them. */
export const publishedPages: readonly PublishedPage[] = pages.map(published);
export const publishedNotFoundPage: PublishedPage = published(notFound);
