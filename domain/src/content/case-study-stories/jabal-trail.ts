import { jabalTrailScreens } from '../../art/screens/jabal-trail.ts';
import type { CaseStudyStory } from '../case-study.ts';
import { jabalTrailStudy } from '../case-studies/jabal-trail.ts';

export const story: CaseStudyStory = {
  study: jabalTrailStudy,
  summary: 'Twenty-five runners filmed a desert race from inside. The next field grew from 420 entries to 1,150.',
  problem: [
    'The race had drone films of sandstone at sunrise, and 420 entries. The films were beautiful and told a runner nothing: how steep, how hot, how it feels at kilometer 18.',
    'A second-year race has no stories yet. The people who had them were on the course.',
  ],
  made: 'Twenty-five runners carried a phone and a card with nine places to film. We chose the places from the profile, kept the card to one line each, and cut the clips while the finishers were still warm.',
  screens: [
    { screen: jabalTrailScreens[0], caption: 'Nine places on the profile, five of them on the climb.' },
    { screen: jabalTrailScreens[1], caption: 'No narrator: breath, gravel and the wall ahead.' },
    { screen: jabalTrailScreens[2], caption: 'The entry page answers the question that the aerial films could not.' },
  ],
  result:
    'The clips had 4.2 million views before entries closed. The next field was 1,150, up from 420, and most of the new runners named the climb when asked why they entered.',
  service: 'ugc-creatives',
};
