import { quaysideWorks as art } from '../../art/case-studies/quayside-works.ts';
import type { CaseStudy } from '../case-study.ts';
import { caseStudyHeads } from '../case-study-heads.ts';

export const quaysideWorksStudy: CaseStudy = {
  ...caseStudyHeads['quayside-works'],
  description:
    'A converted grain store had nine floors to lease and a list of cold contacts. We traced 640 firms whose leases were about to end, wrote to each about the floor that fit it, and sent replies straight into the agents’ calendar.',
  art,
  paper: 'night',
  metrics: [
    { value: '9 of 9', label: 'floors leased in five months' },
    { value: '86', label: 'viewings from 640 firms' },
  ],
  tags: ['Commercial property', 'Email sequences', 'CRM integration'],
};
