export const caseStudyCategories = ['MVP Development', 'UGC Campaign', 'Lead Generation'] as const;
export type CaseStudyCategory = (typeof caseStudyCategories)[number];

/** The case studies in the order of the site and of the portfolio PDF. */
export const caseStudySlugs = [
  'tamra-market',
  'witklip-roasters',
  'wadi-sidr',
  'marsa-freight',
  'lulwa-skincare',
  'nara-solar',
  'sabkha-capital',
  'jabal-trail',
  'quayside-works',
  'rutab-growers',
  'umoya-surf',
] as const;
export type CaseStudySlug = (typeof caseStudySlugs)[number];

/** The text before a link from a service or a form to a case study. */
export const caseStudyLead = 'Seen at work:';

/** The address of a case study's page. */
export const caseStudyPath = (slug: CaseStudySlug): string => `/case-studies/${slug}`;

/** The parts of a case study that every page loads for the links to it, without its text and pictures. */
export interface CaseStudyHead {
  readonly slug: CaseStudySlug;
  readonly title: string;
  readonly category: CaseStudyCategory;
  readonly client: string;
}

export const caseStudyHeads: Readonly<Record<CaseStudySlug, CaseStudyHead>> = {
  'tamra-market': {
    slug: 'tamra-market',
    title: 'Groceries at the gate in forty minutes',
    category: 'MVP Development',
    client: 'Tamra Market, Riyadh',
  },
  'witklip-roasters': {
    slug: 'witklip-roasters',
    title: 'Sixty kitchens, one coffee',
    category: 'UGC Campaign',
    client: 'Witklip Roasters, Cape Town',
  },
  'wadi-sidr': {
    slug: 'wadi-sidr',
    title: 'A town that reads its own numbers',
    category: 'MVP Development',
    client: 'Wadi Sidr Municipality',
  },
  'marsa-freight': {
    slug: 'marsa-freight',
    title: 'A clear channel for freight inquiries',
    category: 'Lead Generation',
    client: 'Marsa Freight, Dammam',
  },
  'lulwa-skincare': {
    slug: 'lulwa-skincare',
    title: 'Thirty mornings with Lulwa',
    category: 'UGC Campaign',
    client: 'Lulwa Skincare, Jeddah',
  },
  'nara-solar': {
    slug: 'nara-solar',
    title: 'Site surveys for flat roofs',
    category: 'Lead Generation',
    client: 'Nara Solar, Windhoek',
  },
  'sabkha-capital': {
    slug: 'sabkha-capital',
    title: 'A data room read by lunchtime',
    category: 'MVP Development',
    client: 'Sabkha Capital, Abu Dhabi',
  },
  'jabal-trail': {
    slug: 'jabal-trail',
    title: 'A desert race, filmed from inside',
    category: 'UGC Campaign',
    client: 'Jabal Trail Series, AlUla',
  },
  'quayside-works': {
    slug: 'quayside-works',
    title: 'Nine floors leased before the scaffolding came down',
    category: 'Lead Generation',
    client: 'Quayside Works, Durban',
  },
  'rutab-growers': {
    slug: 'rutab-growers',
    title: 'Water where the roots are',
    category: 'MVP Development',
    client: 'Rutab Growers, Al-Ahsa',
  },
  'umoya-surf': {
    slug: 'umoya-surf',
    title: 'First waves, kept honest',
    category: 'UGC Campaign',
    client: 'Umoya Surf School, Muizenberg',
  },
};
