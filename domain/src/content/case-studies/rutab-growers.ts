import { rutabGrowers as art } from '../../art/case-studies/rutab-growers.ts';
import type { CaseStudy } from '../case-study.ts';
import { caseStudyHeads } from '../case-study-heads.ts';

export const rutabGrowersStudy: CaseStudy = {
  ...caseStudyHeads['rutab-growers'],
  description:
    'A cooperative of date farmers watered by the calendar. We paired soil sensors with a phone app that works on a weak signal and says which plot is thirsty tonight. Forty plots took part in the pilot through one summer.',
  art,
  paper: 'paper',
  metrics: [
    { value: '−27%', label: 'water used over the summer' },
    { value: '40', label: 'plots in the pilot' },
    { value: '8 weeks', label: 'to the first reading' },
  ],
  tags: ['IoT pilot', 'Works offline', 'Agriculture'],
};
