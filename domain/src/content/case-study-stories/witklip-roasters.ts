import { witklipRoastersScreens } from '../../art/screens/witklip-roasters.ts';
import type { CaseStudyStory } from '../case-study.ts';
import { witklipRoastersStudy } from '../case-studies/witklip-roasters.ts';

export const story: CaseStudyStory = {
  study: witklipRoastersStudy,
  summary:
    'Sixty home brewers filmed their first cup of Witklip coffee, with no script. Online orders grew 2.9 times in eight weeks.',
  problem: [
    'In the cafés people could smell the coffee. Online they saw a black bag on a white page, and most of them left. Paid posts with studio pictures cost more with each month.',
    'Witklip had no film, no faces and one product that had to speak for itself in a few seconds.',
  ],
  made: 'We cast sixty people who brew at home, in eleven towns, and sent each the same plain box. The brief had one line: film your first cup, in your kitchen, and say what you think. We cut the forty best to fit paid posts, and built them into the product pages.',
  screens: [
    {
      screen: witklipRoastersScreens[0],
      caption: 'Sixty films came back. Forty became posts, chosen for the first three seconds.',
    },
    {
      screen: witklipRoastersScreens[1],
      caption: 'A post opens on the cup, not on the logo. The creator’s own caption stays.',
    },
    {
      screen: witklipRoastersScreens[2],
      caption: 'The same films carry the product page, beside the price and the button.',
    },
  ],
  result:
    'Online orders grew 2.9 times in the eight weeks of the campaign, and a first order costs 41% less to win. The product pages kept the films after the posts ended.',
  service: 'ugc-creatives',
};
