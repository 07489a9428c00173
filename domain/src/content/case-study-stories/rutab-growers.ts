import { rutabGrowersScreens } from '../../art/screens/rutab-growers.ts';
import type { CaseStudyStory } from '../case-study.ts';
import { rutabGrowersStudy } from '../case-studies/rutab-growers.ts';

export const story: CaseStudyStory = {
  study: rutabGrowersStudy,
  summary:
    'Soil sensors and an app that works offline tell date farmers which plot is thirsty tonight. Water use fell by 27%.',
  problem: [
    'The farmers of the cooperative watered by the calendar, as their fathers had: every plot on its day, whether it was thirsty or not. The wells are lower each summer.',
    'Sensors had been tried before. They sent graphs to an office, and the office was closed in the evening, when the valves are opened.',
  ],
  made: 'We put sensors at the depth of the roots in forty plots, and an app in the farmers’ pockets. It says one thing: which plot is thirsty tonight, and for how many minutes. It works on a weak signal, and without one.',
  screens: [
    { screen: rutabGrowersScreens[0], caption: 'Forty plots in five colors. The farmer looks at the red one.' },
    {
      screen: rutabGrowersScreens[1],
      caption: 'The instruction fits on a phone in bright sun. It waits on the phone until the signal returns.',
    },
    {
      screen: rutabGrowersScreens[2],
      caption: 'A week of one plot: the line falls, a farmer opens the valve, it rises.',
    },
  ],
  result:
    'The first reading arrived after eight weeks. Over one summer the forty plots used 27% less water, and the growers chose to keep the sensors in the ground.',
  service: 'mvp-development',
};
