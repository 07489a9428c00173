import { lulwaSkincareScreens } from '../../art/screens/lulwa-skincare.ts';
import type { CaseStudyStory } from '../case-study.ts';
import { lulwaSkincareStudy } from '../case-studies/lulwa-skincare.ts';

export const story: CaseStudyStory = {
  study: lulwaSkincareStudy,
  summary:
    'Twelve women filmed one minute of their morning for thirty days. The series launched a serum and tripled engagement.',
  problem: [
    'A new serum from a new brand, in a market where every competitor shows perfect skin in perfect light. No one believes those pictures, and a thirtieth of them would not have helped.',
    'What a serum does takes thirty days to see. The launch needed proof that takes thirty days to film.',
  ],
  made: 'Twelve women filmed the same minute of their morning for thirty days: same window, same order, their own light. We planned the series, kept the rhythm and cut 360 clips into a launch that anyone can check from day one to day thirty.',
  screens: [
    {
      screen: lulwaSkincareScreens[0],
      caption: 'Thirty mornings on one wall. The plan left room for the days that went wrong.',
    },
    {
      screen: lulwaSkincareScreens[1],
      caption: 'One minute by the window. The time and the light are real, and the caption says so.',
    },
    {
      screen: lulwaSkincareScreens[2],
      caption: 'The launch page shows the days in order. The button opens day one, not the basket.',
    },
  ],
  result:
    'Engagement rose from 2.1% to 6.8% over the series. The brand kept the women’s consent forms, the clips and a way to make the next thirty days without us.',
  service: 'ugc-creatives',
};
