import { brand } from '../brand.ts';
import { home } from './home.ts';
import type { Service } from './service.ts';

/** A figure or a short word in large type, with its label. */
export interface Claim {
  readonly value: string;
  readonly label: string;
}

/** An entry of a list on a service page. */
export interface Item {
  readonly title: string;
  readonly text: string;
}

/** The texts of a service page (docs/PRODUCT.md, "Service pages"). */
export interface ServicePageContent {
  readonly title: string;
  readonly introduction: string;
  readonly claims: readonly Claim[];
  readonly included: readonly Item[];
  /** The steps of an engagement, if the page shows them. */
  readonly steps?: { readonly heading: string; readonly titles: readonly string[] };
  readonly form: {
    /** The heading of the form, which asks for a quote, a strategy or a consultation. */
    readonly heading: string;
    readonly submit: string;
    readonly detailsHint: string;
    readonly goalsHint: string;
  };
}

/** The heading of the list `included` on every service page. */
export const includedHeading = 'What’s included';

/** The promise beside every service form (docs/PRODUCT.md, "Response promise"). */
export const serviceFormPromise = `You will have a detailed proposal within ${brand.responsePromiseHours} hours.`;

export const servicePageContents: Readonly<Record<Service['slug'], ServicePageContent>> = {
  'ugc-creatives': {
    title: 'UGC Creatives',
    introduction:
      'User-generated content: films and pictures by people who use what you sell, not by people who act as if they do. We cast them, brief them and read the results with you.',
    claims: [
      { value: '500+', label: 'verified creators' },
      { value: '340%', label: 'engagement' },
      { value: '180%', label: 'conversion' },
    ],
    included: [
      {
        title: 'Content strategy and planning',
        text: 'What to say, to whom and on which channel, agreed before anyone films.',
      },
      {
        title: 'Creator network management',
        text: 'Casting, briefs, samples and deliveries go through us.',
      },
      {
        title: 'Performance analytics',
        text: 'What each piece did, in figures, so that the next brief is better than the last.',
      },
      {
        title: '30-day campaign support',
        text: 'We stay with the campaign for its first 30 days and adjust it while it runs.',
      },
    ],
    form: {
      heading: 'Request your campaign quote',
      submit: 'Request Quote',
      detailsHint: 'What you sell, who it is for, and where the pieces will run',
      goalsHint: 'What should be different once the campaign has run?',
    },
  },
  'mvp-development': {
    title: 'Development Services',
    introduction:
      'Software that people can use while the idea is still warm: MVPs, tools for your own team, and pilots that show what AI can do for you before you bet on it.',
    claims: [{ value: '4-8', label: 'weeks to your MVP' }],
    included: [
      {
        title: 'MVP and rapid prototyping',
        text: 'The smallest version worth using, in 4-8 weeks. You see working pieces early and steer with them.',
      },
      {
        title: 'Internal AI tools',
        text: 'Tools and automation around the way your team works, with your own documents and data.',
      },
      {
        title: 'Custom dashboards',
        text: 'The numbers you decide by, on one screen.',
      },
      {
        title: 'AI pilot projects',
        text: 'One question, one data set, one honest answer: is it worth building?',
      },
    ],
    form: {
      heading: 'Request your development quote',
      submit: 'Request Quote',
      detailsHint: 'Who will use it, what it must do on the first day, and what exists already',
      goalsHint: 'How will you know that it was worth building?',
    },
  },
  'lead-generation': {
    title: 'Lead Generation',
    introduction:
      'A channel that runs without being pushed: it finds the right firms, opens the conversation and brings it to your team with the notes already in the CRM.',
    claims: [
      { value: '95%', label: 'targeting accuracy' },
      { value: '300%', label: 'more qualified leads' },
      { value: '45%', label: 'better conversion in 90 days' },
    ],
    included: [
      {
        title: 'Automated workflows',
        text: 'From the first message to the booked call, with nothing to copy by hand.',
      },
      {
        title: 'CRM integration',
        text: 'Each lead arrives where your team already works, with its history and its next step.',
      },
      {
        title: 'Performance tracking',
        text: 'See which list, message and channel brought in each lead.',
      },
    ],
    form: {
      heading: 'Request your lead strategy',
      submit: 'Request Strategy',
      detailsHint: 'Who you sell to, what you sell them, and how you find them now',
      goalsHint: 'How many good conversations would make this a success?',
    },
  },
  consulting: {
    title: 'Strategic Consulting',
    introduction:
      'A second pair of eyes on strategy, process and market. You leave with a plan that names who does what, and by when.',
    claims: [{ value: '150%', label: 'average ROI in 12 months' }],
    steps: {
      heading: 'A 5-step engagement',
      titles: home.engagement.steps.map(({ title }) => title),
    },
    included: [
      {
        title: 'Strategic planning',
        text: 'Where to go, what to leave alone, and what each choice costs.',
      },
      {
        title: 'Process optimization',
        text: 'How work really moves through your organization, and where it waits.',
      },
      {
        title: 'Market analysis',
        text: 'Who else is out there, what they charge, and what their customers still miss.',
      },
    ],
    form: {
      heading: 'Request your consultation',
      submit: 'Request Consultation',
      detailsHint: 'The decision in front of you, and who has a say in it',
      goalsHint: 'What should you know or have decided by the end?',
    },
  },
};
