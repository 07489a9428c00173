import { tamraMarketScreens } from '../../art/screens/tamra-market.ts';
import type { CaseStudyStory } from '../case-study.ts';
import { tamraMarketStudy } from '../case-studies/tamra-market.ts';

export const story: CaseStudyStory = {
  study: tamraMarketStudy,
  summary:
    'A family grocer in Riyadh swapped evening phone orders for an app and a driver view. One order in fifty is lost now, not one in six.',
  problem: [
    'Between six and nine in the evening, four shops took orders on four telephones. A clerk wrote each one on a slip, another packed it, a driver read the address aloud. One order in six went missing between slip and gate.',
    'The family did not want a marketplace. They wanted their own customers to order from their own shops, and to know where every basket was.',
  ],
  made: 'We rode with the drivers for two evenings before we drew a screen. Then we built three views of one order: the app for the customer, the route for the driver and the board for the shops. The app speaks Arabic and English, and remembers the gate rather than the street.',
  screens: [
    {
      screen: tamraMarketScreens[0],
      caption:
        'The driver sees three gates, not thirty. The next basket comes from the nearest shop that has everything.',
    },
    {
      screen: tamraMarketScreens[1],
      caption: 'The customer sees one price and one time. Payment happens at the gate or in the app.',
    },
    {
      screen: tamraMarketScreens[2],
      caption: 'When a shop fills up, the board moves its next baskets to a neighbor before anyone waits.',
    },
  ],
  result:
    'The first district took its first order seven weeks after the blueprint. The slips are gone, and the telephones now ring for questions. In month four the shops delivered 2,400 orders a week with the drivers they already had.',
  service: 'mvp-development',
};
