import type { Art, Screen } from '../art/art.ts';
import type { Ink } from '../brand.ts';
import type { CaseStudyHead } from './case-study-heads.ts';
import type { Service } from './service.ts';

/** The colours that a page of the portfolio PDF can have. */
export type PagePaper = Extract<Ink, 'paper' | 'night' | 'sandDeep' | 'teal' | 'sand' | 'terracotta'>;

/** A measured result, e.g. `{ value: '41%', label: 'lower cost per order' }`. */
export interface Metric {
  readonly value: string;
  readonly label: string;
}

/** A case study on the site and in the portfolio PDF. */
export interface CaseStudy extends CaseStudyHead {
  /** Two or three sentences, not truncated on cards. */
  readonly description: string;
  readonly art: Art;
  /** The colour of its page in the portfolio PDF. The background of the art and the neighbouring pages have others. */
  readonly paper: PagePaper;
  /** Two to four results. */
  readonly metrics: readonly Metric[];
  readonly tags: readonly string[];
}

/** A screen of the product with a sentence about it. */
export interface CaseStudyScreen {
  readonly screen: Screen;
  readonly caption: string;
}

/** The page of a case study (docs/PRODUCT.md, "Case study pages"). */
export interface CaseStudyStory {
  readonly study: CaseStudy;
  /** The result in one or two sentences. */
  readonly summary: string;
  readonly problem: readonly string[];
  readonly made: string;
  /** A wide screen, a tall one and another wide one. */
  readonly screens: readonly [CaseStudyScreen, CaseStudyScreen, CaseStudyScreen];
  readonly result: string;
  /** The service that the work belongs to. */
  readonly service: Service['slug'];
  /** Whether the button leads to the discovery form instead of the service's form. */
  readonly startsWithDiscovery?: boolean;
}
