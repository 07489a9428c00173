import { marsaFreight as art } from '../../art/case-studies/marsa-freight.ts';
import type { CaseStudy } from '../case-study.ts';
import { caseStudyHeads } from '../case-study-heads.ts';

export const marsaFreightStudy: CaseStudy = {
  ...caseStudyHeads['marsa-freight'],
  description:
    'Four salespeople chased every inquiry alike, from one pallet to a chartered ship. We scored them by lane, volume and date, answered the small ones automatically and put the rest into the CRM with a named owner.',
  art,
  paper: 'night',
  metrics: [
    { value: '3.1×', label: 'qualified inquiries a month' },
    { value: '25 min', label: 'to a first answer, down from a day' },
  ],
  tags: ['Lead scoring', 'CRM integration', 'B2B email'],
};
