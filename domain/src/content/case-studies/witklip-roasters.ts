import { witklipRoasters as art } from '../../art/case-studies/witklip-roasters.ts';
import type { CaseStudy } from '../case-study.ts';
import { caseStudyHeads } from '../case-study-heads.ts';

export const witklipRoastersStudy: CaseStudy = {
  ...caseStudyHeads['witklip-roasters'],
  description:
    'Witklip sold well in cafés but hardly at all online. Sixty home brewers each received the same plain box and filmed the first cup in their own kitchen, with no script. The forty best cuts ran as paid posts for eight weeks and now carry the product pages.',
  art,
  paper: 'paper',
  metrics: [
    { value: '60', label: 'creators in eleven towns' },
    { value: '2.9×', label: 'online orders in eight weeks' },
    { value: '41%', label: 'lower cost per first order' },
  ],
  tags: ['Unboxing', 'Paid social', 'Product pages', 'Creator casting'],
};
