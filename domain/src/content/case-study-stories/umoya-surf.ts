import { umoyaSurfScreens } from '../../art/screens/umoya-surf.ts';
import type { CaseStudyStory } from '../case-study.ts';
import { umoyaSurfStudy } from '../case-studies/umoya-surf.ts';

export const story: CaseStudyStory = {
  study: umoyaSurfStudy,
  summary:
    'Beginners’ own clips, falls included, filled the winter lessons of a surf school in Muizenberg: 74%, up from 46%.',
  problem: [
    'The school’s film showed experts on perfect waves. Beginners watched it and decided that surfing was for other people. In winter more than half of the lessons stayed empty.',
    'The school had hundreds of clips from its own students, and no way to ask them whether it could show them.',
  ],
  made: 'We set up one consent form, one upload link and a weekly cut. The form asks three things in plain words, and the student can change their mind. The cut is made from a template that the school fills by itself.',
  screens: [
    { screen: umoyaSurfScreens[0], caption: 'The weekly cut: nine clips in order, and two hours on a Monday.' },
    { screen: umoyaSurfScreens[1], caption: 'Consent and upload on one screen, on the beach, with wet hands.' },
    { screen: umoyaSurfScreens[2], caption: 'The winter weeks, with the places that are left.' },
  ],
  result:
    'Winter lessons are 74% full, up from 46%. Students sent 520 clips in one season, and the school runs it in two hours a week.',
  service: 'ugc-creatives',
};
