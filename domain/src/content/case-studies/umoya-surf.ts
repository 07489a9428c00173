import { umoyaSurf as art } from '../../art/case-studies/umoya-surf.ts';
import type { CaseStudy } from '../case-study.ts';
import { caseStudyHeads } from '../case-study-heads.ts';

export const umoyaSurfStudy: CaseStudy = {
  ...caseStudyHeads['umoya-surf'],
  description:
    'Beginners’ own clips, falls included, did what the glossy reel had not: they showed that anyone can start. We set up one consent form, one upload link and a weekly cut that the school makes itself.',
  art,
  paper: 'terracotta',
  metrics: [
    { value: '74%', label: 'of winter lessons filled, up from 46%' },
    { value: '520', label: 'clips in one season' },
    { value: '2 h', label: 'a week to run it' },
  ],
  tags: ['Social media', 'Consent and upload', 'Tourism'],
};
