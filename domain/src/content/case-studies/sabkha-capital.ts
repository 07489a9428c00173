import { sabkhaCapital as art } from '../../art/case-studies/sabkha-capital.ts';
import type { CaseStudy } from '../case-study.ts';
import { caseStudyHeads } from '../case-study-heads.ts';

export const sabkhaCapitalStudy: CaseStudy = {
  ...caseStudyHeads['sabkha-capital'],
  description:
    'Two analysts spent their first week on each deal reading contracts. An internal tool now reads the data room overnight, marks the clauses that matter and cites the page for each finding. The analysts start with the questions.',
  art,
  paper: 'terracotta',
  metrics: [
    { value: '5 h', label: 'to a first memo, down from five days' },
    { value: '100%', label: 'of findings cite their page' },
    { value: '31', label: 'deals read in the first six months' },
  ],
  tags: ['Internal AI tool', 'Due diligence', 'Private equity'],
};
