import { sabkhaCapitalScreens } from '../../art/screens/sabkha-capital.ts';
import type { CaseStudyStory } from '../case-study.ts';
import { sabkhaCapitalStudy } from '../case-studies/sabkha-capital.ts';

export const story: CaseStudyStory = {
  study: sabkhaCapitalStudy,
  summary:
    'An internal AI tool reads each data room overnight and cites the page of every finding. A first memo takes five hours.',
  problem: [
    'Every deal began with a week of reading. Two analysts opened four hundred documents, marked the clauses that matter and wrote a first memo on Friday. By then the questions were a week late.',
    'A summary from a chatbot was no help: a finding without its page cannot go to a committee.',
  ],
  made: 'We built an internal tool that reads the data room overnight. It marks the clauses that the firm cares about, and ties each finding to the page that it came from. What it cannot cite, it does not claim. The analysts check, strike out and add.',
  screens: [
    { screen: sabkhaCapitalScreens[0], caption: 'The clause and its finding side by side. One press opens the page.' },
    { screen: sabkhaCapitalScreens[1], caption: 'The first memo is a list of questions, each with its source.' },
    {
      screen: sabkhaCapitalScreens[2],
      caption: 'The partners see which data rooms are read, and which are still arriving.',
    },
  ],
  result:
    'A first memo takes five hours, down from five days. Every finding cites its page. In six months the tool read 31 deals, and the analysts start each with the questions.',
  service: 'mvp-development',
  startsWithDiscovery: true,
};
