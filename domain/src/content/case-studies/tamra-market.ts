import { tamraMarket as art } from '../../art/case-studies/tamra-market.ts';
import type { CaseStudy } from '../case-study.ts';
import { caseStudyHeads } from '../case-study-heads.ts';

export const tamraMarketStudy: CaseStudy = {
  ...caseStudyHeads['tamra-market'],
  description:
    'A family grocer with four shops was taking evening orders by phone and losing one in six. We built an ordering app and a driver view that routes each basket from the nearest shop. The first district went live in seven weeks, the other three a month later.',
  art,
  paper: 'terracotta',
  metrics: [
    { value: '7 weeks', label: 'from blueprint to first order' },
    { value: '38 min', label: 'median time to the gate' },
    { value: '1 in 50', label: 'orders lost, down from one in six' },
    { value: '2,400', label: 'orders a week by month four' },
  ],
  tags: ['Mobile app', 'Route planning', 'Payments', 'Arabic and English'],
};
