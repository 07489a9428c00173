import { brand } from '../brand.ts';
import type { discoveryInterests } from '../forms/discovery.ts';
import type { home } from './home.ts';
import { kingrosePrices } from './kingrose-prices.ts';

/** A group of clients that /kingrose addresses. */
export interface KingroseNiche {
  readonly slug: 'investment-firms' | 'municipalities';
  readonly title: string;
  readonly audience: string;
  readonly description: string;
  readonly uses: readonly string[];
  /** An example project with its price. */
  readonly example: { readonly price: string; readonly title: string; readonly description: string };
}

/** A service card of /kingrose. The cards are the first six interests of the discovery form. */
export interface KingroseService {
  readonly title: Exclude<
    (typeof discoveryInterests)[number]['value'],
    'AI Strategy Consulting' | 'Multiple Solutions'
  >;
  readonly description: string;
}

/** A step of the engagement. The home page has the same steps. */
export interface KingroseStep {
  readonly title: (typeof home.engagement.steps)[number]['title'];
  readonly description: string;
}

export const kingroseNiches: readonly KingroseNiche[] = [
  {
    slug: 'investment-firms',
    title: 'Investment firms',
    audience: 'VC firms, private equity and family offices',
    description:
      'Your judgment is worth the most when the reading is done. We build tools that do the reading, keep the portfolio’s figures in one place and lay the scenarios side by side.',
    uses: ['Data rooms read and marked', 'Deals and holdings in one view', 'Scenarios compared before a vote'],
    example: {
      price: kingrosePrices.dueDiligence,
      title: 'Due diligence example',
      description:
        'A tool that goes through a data room, marks the clauses and figures that need an analyst’s eye, and links each finding to its page.',
    },
  },
  {
    slug: 'municipalities',
    title: 'Municipalities',
    audience: 'Local governments and regional agencies',
    description:
      'Residents ask in their own words, at all hours. We build tools that sort what comes in, bring it to the office that can finish it, and keep the resident informed.',
    uses: ['Requests sorted and routed', 'Permits prepared for a decision', 'Answers for residents, day and night'],
    example: {
      price: kingrosePrices.municipal,
      title: 'Municipal solution',
      description:
        'One queue for residents’ requests: read, sorted and handed to the right office, with a status that everyone can follow.',
    },
  },
];

export const kingroseServices: readonly KingroseService[] = [
  {
    title: 'Portfolio Monitoring & Deal Tracking',
    description: 'Reports of your holdings and the state of each deal, gathered into one view that stays current.',
  },
  {
    title: 'Automated Due Diligence Tools',
    description: 'Contracts, accounts and filings read in full, with every finding tied to the page it came from.',
  },
  {
    title: 'Investment Scenario Planning',
    description: 'What if rates rise, a round slips, a market closes: your assumptions, worked out side by side.',
  },
  {
    title: 'Municipal Workflow Automation',
    description: 'Forms, permits and approvals that move on by themselves until a person has to decide.',
  },
  {
    title: 'Citizen Service Enhancement',
    description: 'Residents find the answer or the right office in their own words, in more than one language.',
  },
  {
    title: 'Data Analytics Dashboards',
    description: 'The few figures you steer by, explained in plain words and ready for the meeting.',
  },
];

export const kingroseSteps: readonly KingroseStep[] = [
  {
    title: 'Discovery',
    description:
      'We look at how your people work, find the tasks AI can take over, and work out what each would return.',
  },
  {
    title: 'Strategic Blueprint',
    description:
      'One document: what to build first, on which data, at what price, and how you will know that it works.',
  },
  {
    title: 'Development',
    description: 'We build the tool in short rounds, on your own cases, and you steer with what you see.',
  },
  {
    title: 'Training',
    description: 'Your people learn to use it, to question it and to notice when it is wrong.',
  },
  {
    title: 'Partnership',
    description: 'We stay within reach, read the results with you and choose the next task together.',
  },
];

/** The other texts of /kingrose, in the order of the page (docs/PRODUCT.md, "KingRose page"). */
export const kingrose = {
  name: 'KingRose',
  hero: {
    headline: 'Find your bearings in AI',
    introduction: `KingRose is our AI discovery for investment firms and municipalities. Together we find the one task AI should take over, then build the tool for it: ${kingrosePrices.tools}.`,
    toContact: 'Request a Discovery Session',
    toServices: 'See Our AI Services',
  },
  about: {
    heading: 'One\u00a0tool, one\u00a0task, one\u00a0price',
    paragraphs: [
      'Most organizations do not need a hundred-page AI strategy. They need one piece of work taken off their people’s desks, by a tool they trust.',
      'That is what we build. We begin with a discovery session, agree on a blueprint and a price, and make a tool that is small enough to finish and good enough to keep.',
    ],
    scale: {
      heading: 'What it costs',
      range: { price: kingrosePrices.tools, title: 'AI tools' },
    },
  },
  niches: {
    heading: 'Two kinds of organization',
    introduction: 'One decides where capital goes, the other how a town is run. Both drown in documents.',
  },
  services: {
    heading: 'Our AI Services',
    introduction: 'Six tools. Start with the one that saves you most.',
  },
  engagement: {
    heading: 'Five steps, one course',
    introduction: 'From the first conversation to a tool in daily use, and you know at each step what comes next.',
  },
  why: {
    heading: 'Why partner with us',
    reasons: [
      {
        title: 'The price comes before the work',
        description: `AI tools cost ${kingrosePrices.tools}. The blueprint names your figure before anything is built.`,
      },
      {
        title: 'Made around your work',
        description: 'No platform to move into: a tool around your documents, your terms and your way of deciding.',
      },
      {
        title: 'People keep the decision',
        description: 'Our tools read, sort and prepare. They show their sources, and they leave the last word to you.',
      },
      {
        title: 'Yours to run',
        description: 'Training is one of the five steps, so the tool does not depend on us to be used well.',
      },
    ],
  },
  contact: {
    heading: 'Request your discovery session',
    introduction: `Tell us where the hours go. We’ll contact you within ${brand.responsePromiseHours} hours to schedule your ROI assessment session.`,
    sections: { person: 'Who you are', plan: 'What you plan', work: 'What it is about' },
    hints: {
      currentChallenges: 'Where time or money goes today',
      aiGoals: 'What should be different a year from now',
    },
  },
} as const;
