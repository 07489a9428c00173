import type { FormSchema } from '../src/forms/form-schema.ts';

const discovery = {
  name: 'Anna Botha',
  email: 'anna@example.com',
  company: 'Table Bay Capital',
  phone: '+27 21 555 0177',
  organizationType: 'VC Firm',
  investmentRange: '$20,000-$50,000',
  timeframe: '3-4 months',
  specificSolutions: 'Automated Due Diligence Tools',
  currentChallenges: 'Reading data rooms takes our analysts weeks.',
  aiGoals: 'A first opinion on each deal within two days.',
};

const someId = '0192f0c1-2b7e-7c3a-9d53-6f2a10b7c001';

const examples: Readonly<Record<string, () => Record<string, unknown>>> = {
  'portfolio-request': () => ({ email: 'noura@example.com', source: 'portfolio_view' }),
  contact: () => ({
    firstName: 'Noura',
    lastName: 'al-Harbi',
    email: 'noura@example.com',
    service: 'ugc',
    message: 'We are launching a line of oud perfumes.',
  }),
  'career-application': () => ({
    firstName: 'Thabo',
    lastName: "O'Neill",
    email: 'thabo@example.com',
    phone: '+27 21 555 0134',
    position: 'Full Stack Developer',
    experience: 'senior',
    portfolio: 'https://thabo.example.com/work',
    coverLetter:
      'For eight years I have built booking systems that people like to use, and I would gladly build yours.',
    resume: 'https://thabo.example.com/resume.pdf',
  }),
  'project-inquiry': () => ({
    name: 'Lerato Mokoena',
    email: 'lerato@example.com',
    company: 'Cape Roasters',
    phone: '+27 21 555 0199',
    serviceType: 'Mobile App Development',
    budget: '$25,000-$50,000',
    timeframe: '2-3 months',
    urgency: 'Medium',
    businessDescription: 'We roast coffee and run four cafés.',
    projectDescription: 'An app to order ahead and to collect stamps.',
    specificFeatures: 'Ordering, payment, stamps, a screen for the barista.',
    successCriteria: 'A third of the morning orders come through the app.',
    competitors: 'The two big chains in town.',
    service: 'Project Inquiry',
  }),
  'service-inquiry': () => ({
    name: 'Faisal Qahtani',
    email: 'faisal@example.com',
    company: 'Najd Logistics',
    phone: '+966 11 555 0100',
    service: 'B2B Email Marketing',
    budget: '$3,000-$5,000/month',
    timeframe: '3-6 months',
    urgency: 'Medium - Steady growth',
    projectDetails: 'We want to reach the buyers of cold storage.',
    goals: 'Twenty good calls a month.',
    serviceType: 'Lead Generation',
  }),
  discovery: () => ({ ...discovery }),
  'discovery-inquiry': () => ({
    ...discovery,
    budget: '$20,000-$50,000',
    projectDetails: 'Organization type:\nVC Firm\n\nCurrent challenges:\nReading data rooms takes our analysts weeks.',
    service: 'AI Transformation Discovery',
    serviceType: 'KingRose Discovery',
    urgency: 'High - Discovery Session',
  }),
  'sign-in': () => ({ username: 'noura', password: 'correct horse battery staple' }),
  recipe: () => ({
    title: 'Ship a landing page in a day',
    description: 'From brief to live page.',
    instructions: '1. Read the brief.\n2. Draw the page.\n3. Build it.',
    category: 'development',
    difficulty: 'hard',
    tags: ['landing page', 'vite'],
    tools: ['Figma'],
    notionPageUrl: 'https://www.notion.so/duneandtide/landing-page',
    estimatedTime: '6 hours',
    isPublic: true,
  }),
  'new-account': () => ({
    name: 'Lerato Mokoena',
    username: 'lerato',
    password: 'correct horse battery staple',
    email: 'lerato@example.com',
  }),
  'password-confirmation': () => ({ password: 'correct horse battery staple' }),
  'second-factor-code': () => ({ code: '287082' }),
  'passkey-name': () => ({ name: 'Work laptop' }),
  'new-passkey': () => ({
    name: 'Work laptop',
    id: 'AQIDBA',
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0',
    attestationObject: 'o2NmbXRkbm9uZQ',
    transports: ['internal', 'hybrid'],
  }),
  'passkey-signature': () => ({
    id: 'AQIDBA',
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
    authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2M',
    signature: 'MEUCIQ',
  }),
  'lead-emails': () => ({ leadEmails: 'immediate' }),
  'own-account-change': () => ({ name: 'Noura al-Harbi', email: 'noura@example.com' }),
  'own-password': () => ({
    currentPassword: 'correct horse battery staple',
    password: 'another horse, another staple',
  }),
  'new-password': () => ({ password: 'correct horse battery staple' }),
  'account-change': () => ({
    isActive: true,
    password: 'correct horse battery staple',
    email: 'lerato@example.com',
  }),
  'retry-all': () => ({ state: 'failed' }),
  'cancel-all': () => ({ state: 'pending' }),
  'lead-change': () => ({ status: 'contacted', ownerId: someId, answered: true }),
  'lead-bulk-change': () => ({
    ids: [someId],
    status: 'contacted',
    ownerId: someId,
    answered: true,
    spam: false,
  }),
  'new-lead-view': () => ({ name: 'Overdue', search: 'response=overdue&sort=due' }),
  'lead-view-order': () => ({ ids: [someId] }),
  reply: () => ({ subject: 'Your film', text: 'It is ready.', replaces: someId, seenActivity: 3 }),
  'follow-up-recipient': () => ({ email: 'lerato@example.com', changeLead: true }),
  'erase-person': () => ({ email: 'lerato@example.com' }),
  'note-text': () => ({ text: 'Called back, wants an offer.' }),
};

/**
 * Returns a valid body of a form.
 * @param form - one of `allForms`
 * @returns a new object with every field except those that the server composes
 */
export function validExample(form: FormSchema): Record<string, unknown> {
  const example = examples[form.$id];
  if (example === undefined) throw new Error(`No example for the form ${form.$id}`);
  return example();
}
