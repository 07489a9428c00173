import { naraSolar as art } from '../../art/case-studies/nara-solar.ts';
import type { CaseStudy } from '../case-study.ts';
import { caseStudyHeads } from '../case-study-heads.ts';

export const naraSolarStudy: CaseStudy = {
  ...caseStudyHeads['nara-solar'],
  description:
    'Nara fits panels on warehouses, and most inquiries came from houses. We mapped 3,100 commercial roofs from open aerial imagery and wrote to their owners with the yield of their own roof. A short call replaced the brochure.',
  art,
  paper: 'teal',
  metrics: [
    { value: '212', label: 'site surveys booked in a year' },
    { value: '1 in 4', label: 'surveys became an order' },
    { value: '−54%', label: 'cost per survey' },
  ],
  tags: ['Outreach', 'Data enrichment', 'Landing pages'],
};
