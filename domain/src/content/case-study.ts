import type { Art } from '../art/art.ts';

export const caseStudyCategories = ['MVP Development', 'UGC Campaign', 'Lead Generation'] as const;
export type CaseStudyCategory = (typeof caseStudyCategories)[number];

/**
 * The place of a case study on the home page: a large card, a small card, or behind Show More
 * (docs/PRODUCT.md, "Home page").
 */
export type CaseStudyPlacement = 'featured' | 'highlight' | 'more';

/** A measured result, e.g. `{ value: '41%', label: 'lower cost per order' }`. */
export interface Metric {
  readonly value: string;
  readonly label: string;
}

/** A case study on the site and in the portfolio PDF. */
export interface CaseStudy {
  readonly slug: string;
  readonly placement: CaseStudyPlacement;
  readonly title: string;
  readonly category: CaseStudyCategory;
  readonly client: string;
  /** Two or three sentences, not truncated on cards. */
  readonly description: string;
  readonly art: Art;
  /** Two to four results. */
  readonly metrics: readonly Metric[];
  readonly tags: readonly string[];
}
