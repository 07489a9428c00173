import { brand } from '../brand.ts';

/** A step that follows after a form was sent. */
export interface GuideStep {
  readonly when: string;
  readonly what: string;
}

/** The text beside a form and after sending it (docs/PRODUCT.md, "Form guides"). */
export interface FormGuide {
  readonly steps: readonly [GuideStep, GuideStep, GuideStep];
  /** Where to look while waiting. */
  readonly further?: { readonly label: string; readonly href: string };
}

export const formGuideTexts = {
  heading: 'What happens next',
  reader: `Our team in ${brand.cities.join(' and ')} reads every message.`,
  /** "Write to us in Arabic or English." */
  arabic: 'اكتب لنا بالعربية أو بالإنجليزية',
  received: 'What we received',
  follows: 'What follows',
} as const;

const confirmation: GuideStep = { when: 'Right away', what: 'A confirmation arrives by email.' };
const inHours = `Within ${brand.responsePromiseHours} hours`;
const ourWork = { label: 'See what we made for others', href: '/#portfolio' };

export const formGuides = {
  contact: {
    steps: [
      confirmation,
      { when: 'Soon', what: 'The person who knows your subject best replies.' },
      { when: 'Then', what: 'A few emails or a call, as you prefer.' },
    ],
    further: ourWork,
  },
  inquiry: {
    steps: [
      confirmation,
      { when: inHours, what: 'A proposal made for you follows by email.' },
      { when: 'Then', what: 'You change what you like, or we start.' },
    ],
    further: ourWork,
  },
  discovery: {
    steps: [
      confirmation,
      { when: inHours, what: 'We contact you to schedule the session.' },
      { when: 'In the session', what: 'We work out what a tool for one task would return.' },
    ],
    further: { label: 'See a data room read by lunchtime', href: '/case-studies/sabkha-capital' },
  },
  application: {
    steps: [
      confirmation,
      { when: 'Soon', what: 'We review your application and get back to you.' },
      { when: 'Then', what: 'You meet the people you would work with.' },
    ],
  },
} as const satisfies Readonly<Record<string, FormGuide>>;
