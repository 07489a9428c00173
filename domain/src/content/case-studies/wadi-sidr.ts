import { wadiSidr as art } from '../../art/case-studies/wadi-sidr.ts';
import type { CaseStudy } from '../case-study.ts';
import { caseStudyHeads } from '../case-study-heads.ts';

export const wadiSidrStudy: CaseStudy = {
  ...caseStudyHeads['wadi-sidr'],
  description:
    'Street lights, water leaks and permits each lived in a different spreadsheet. One dashboard now shows every open request by quarter and age, and tells the duty officer which to close first.',
  art,
  paper: 'teal',
  metrics: [
    { value: '9 days', label: 'to close a request, down from 23' },
    { value: '14', label: 'spreadsheets retired' },
  ],
  tags: ['Dashboard', 'Municipal', 'Workflow automation'],
};
