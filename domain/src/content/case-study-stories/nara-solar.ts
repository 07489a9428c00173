import { naraSolarScreens } from '../../art/screens/nara-solar.ts';
import type { CaseStudyStory } from '../case-study.ts';
import { naraSolarStudy } from '../case-studies/nara-solar.ts';

export const story: CaseStudyStory = {
  study: naraSolarStudy,
  summary:
    'A solar installer wrote to the owners of warehouse roofs about the yield of their own roof: 212 site surveys in a year.',
  problem: [
    'Nara fits panels on warehouses. Its site brought inquiries from houses, and its sales team spent the week saying no politely.',
    'The owners of large flat roofs do not search for solar. They have to be told what their roof could earn.',
  ],
  made: 'We mapped 3,100 commercial roofs from open aerial imagery, worked out the yield of each, and wrote to their owners about that one roof. A call of fifteen minutes replaced the brochure, and a page books the survey.',
  screens: [
    { screen: naraSolarScreens[0], caption: 'Each roof has its area, its shade and its yield in a year.' },
    {
      screen: naraSolarScreens[1],
      caption: 'The letter shows the owner’s own roof and one figure. No brochure follows.',
    },
    { screen: naraSolarScreens[2], caption: 'Three presses from the letter to a survey on a Wednesday at ten.' },
  ],
  result:
    '212 surveys were booked in a year, and one in four became an order. A survey costs 54% less to win than before.',
  service: 'lead-generation',
};
