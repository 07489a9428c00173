import { jabalTrail as art } from '../../art/case-studies/jabal-trail.ts';
import type { CaseStudy } from '../case-study.ts';
import { caseStudyHeads } from '../case-study-heads.ts';

export const jabalTrailStudy: CaseStudy = {
  ...caseStudyHeads['jabal-trail'],
  description:
    'A second-year trail race had fine aerial films and few entries. Twenty-five runners carried a phone and a short shot list over the course, and their clips told the next field what the climb feels like.',
  art,
  paper: 'sandDeep',
  metrics: [
    { value: '1,150', label: 'entries, up from 420' },
    { value: '25', label: 'runners with a phone' },
    { value: '4.2M', label: 'views before entries closed' },
  ],
  tags: ['Event', 'Behind the scenes', 'Short video'],
};
