import { lulwaSkincare as art } from '../../art/case-studies/lulwa-skincare.ts';
import type { CaseStudy } from '../case-study.ts';
import { caseStudyHeads } from '../case-study-heads.ts';

export const lulwaSkincareStudy: CaseStudy = {
  ...caseStudyHeads['lulwa-skincare'],
  description:
    'A new serum needed proof rather than polish. Twelve women filmed the same minute of their morning for thirty days, in their own light, and the series became the launch.',
  art,
  paper: 'sand',
  metrics: [
    { value: '360', label: 'clips from twelve creators' },
    { value: '6.8%', label: 'engagement, up from 2.1%' },
  ],
  tags: ['Launch', 'Vertical video', 'Testimonials'],
};
