import { wadiSidrScreens } from '../../art/screens/wadi-sidr.ts';
import type { CaseStudyStory } from '../case-study.ts';
import { wadiSidrStudy } from '../case-studies/wadi-sidr.ts';

export const story: CaseStudyStory = {
  study: wadiSidrStudy,
  summary:
    'A municipality put street lights, leaks and permits on one dashboard. A request is closed in 9 days, down from 23.',
  problem: [
    'Street lights had a spreadsheet. Leaks had another, permits four more, and each had an owner who could be on leave. Residents called to ask where their request was, and the answer depended on who picked up.',
    'The duty officer started each morning by guessing which request was the oldest.',
  ],
  made: 'We read the fourteen spreadsheets and found that they all asked the same five questions. One dashboard replaced them: every open request by quarter and age, a morning list for the duty officer, and a permits board that the offices share.',
  screens: [
    {
      screen: wadiSidrScreens[0],
      caption: 'One map, one count and the age of what is open. The council meeting starts with it.',
    },
    {
      screen: wadiSidrScreens[1],
      caption: 'The duty officer’s list puts first what cannot wait, then what has waited longest.',
    },
    { screen: wadiSidrScreens[2], caption: 'A permit moves across the board by itself until a person has to decide.' },
  ],
  result:
    'A request is closed in 9 days, down from 23. Fourteen spreadsheets are retired, and a resident who calls hears the same answer from everyone.',
  service: 'mvp-development',
  startsWithDiscovery: true,
};
