import { quaysideWorksScreens } from '../../art/screens/quayside-works.ts';
import type { CaseStudyStory } from '../case-study.ts';
import { quaysideWorksStudy } from '../case-studies/quayside-works.ts';

export const story: CaseStudyStory = {
  study: quaysideWorksStudy,
  summary:
    'A converted grain store in Durban leased all nine floors in five months, one letter per firm about the floor that fits it.',
  problem: [
    'A grain store by the harbor had been rebuilt into nine floors, and the agents had a list of a thousand cold contacts. Most of the firms on it had signed a lease the year before.',
    'No one moves an office because of an email. They move because a lease ends.',
  ],
  made: 'We traced 640 firms in Durban whose leases were about to end, and wrote to each about the one floor that fits its people. Each email had a plan, a size and a day. Replies went straight into the agents’ calendar.',
  screens: [
    { screen: quaysideWorksScreens[0], caption: 'Nine floors for nine kinds of firm. Each email offers one of them.' },
    {
      screen: quaysideWorksScreens[1],
      caption: 'The plan shows the desks that the firm has, not the desks that the floor could hold.',
    },
    { screen: quaysideWorksScreens[2], caption: 'A reply becomes a viewing. The agents did not have to write back.' },
  ],
  result:
    '640 firms led to 86 viewings, and all nine floors were leased in five months, before the scaffolding came down.',
  service: 'lead-generation',
};
