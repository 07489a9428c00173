import type { Art } from '../art/art.ts';

export const caseStudyCategories = ['MVP Development', 'UGC Campaign', 'Lead Generation'] as const;
export type CaseStudyCategory = (typeof caseStudyCategories)[number];

/** Where the home page shows a case study: two featured, three small highlights, six behind Show More (specification §2). */
export type CaseStudyPlacement = 'featured' | 'highlight' | 'more';

/** One measured result, e.g. `{ value: '41%', label: 'lower cost per order' }`. */
export interface Metric {
  readonly value: string;
  readonly label: string;
}

/** A case study as the site and the portfolio PDF show it (specification §3). */
export interface CaseStudy {
  readonly slug: string;
  readonly placement: CaseStudyPlacement;
  readonly title: string;
  readonly category: CaseStudyCategory;
  readonly client: string;
  /** Two or three sentences; the site's card shows it whole. */
  readonly description: string;
  readonly art: Art;
  /** Two to four. */
  readonly metrics: readonly Metric[];
  readonly tags: readonly string[];
}
