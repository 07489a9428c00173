import { marsaFreightScreens } from '../../art/screens/marsa-freight.ts';
import type { CaseStudyStory } from '../case-study.ts';
import { marsaFreightStudy } from '../case-studies/marsa-freight.ts';

export const story: CaseStudyStory = {
  study: marsaFreightStudy,
  summary:
    'Marsa Freight scores each inquiry by lane, volume and date. Qualified inquiries tripled and answers take 25 minutes.',
  problem: [
    'An inquiry for one pallet and an inquiry for a chartered ship landed in the same mailbox. Four salespeople answered them in the order in which they came, usually the next day.',
    'By then the large ones had an offer from another forwarder.',
  ],
  made: 'We scored each inquiry by lane, volume and date, with rules that the sales team wrote and can change. Small ones get a rate by email within minutes. The rest arrive in the CRM with a score, its reasons, a named owner and the next step.',
  screens: [
    { screen: marsaFreightScreens[0], caption: 'The largest cargo is at the top, whenever it arrived.' },
    { screen: marsaFreightScreens[1], caption: 'A pallet gets its rate in minutes, and no one had to type it.' },
    {
      screen: marsaFreightScreens[2],
      caption: 'The owner sees why the score is high and what the customer asked, in one place.',
    },
  ],
  result:
    'The team now sees 3.1 times as many qualified inquiries a month. A first answer takes 25 minutes instead of a day, and the four salespeople spend their mornings on the telephone with the right people.',
  service: 'lead-generation',
};
