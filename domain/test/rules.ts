import { careerApplicationForm } from '../src/forms/career-application.ts';
import { contactForm } from '../src/forms/contact.ts';
import { discoveryForm, discoveryInquiryForm } from '../src/forms/discovery.ts';
import { cancelAllForm, retryAllForm } from '../src/forms/follow-up-change.ts';
import type { FormSchema } from '../src/forms/form-schema.ts';
import { leadBulkChangeForm, leadChangeForm, noteForm } from '../src/forms/lead-change.ts';
import { leadViewForm, leadViewOrderForm } from '../src/forms/lead-view.ts';
import { portfolioRequestForm } from '../src/forms/portfolio-request.ts';
import { erasureForm } from '../src/forms/erasure.ts';
import { projectInquiryForm } from '../src/forms/project-inquiry.ts';
import { recipeForm } from '../src/forms/recipe.ts';
import { recipientForm, replyForm } from '../src/forms/reply.ts';
import { serviceInquiryForm } from '../src/forms/service-inquiry.ts';
import { codeForm, newPasskeyForm, passkeyNameForm, passkeySignatureForm } from '../src/forms/second-factor.ts';
import { signInForm } from '../src/forms/sign-in.ts';
import {
  accountChangeForm,
  newAccountForm,
  newPasswordForm,
  leadEmailsForm,
  ownAccountForm,
  ownPasswordForm,
  passwordConfirmationForm,
} from '../src/forms/account.ts';
import { validExample } from './examples.ts';
import {
  closedSet,
  email,
  formOnly,
  ifChanged,
  ifFilledIn,
  knownPassword,
  lineCases,
  longText,
  nameLine,
  newPassword,
  newUsername,
  notFilledIn,
  notText,
  onOrOff,
  optionalLine,
  selection,
  textCases,
  textList,
  webLink,
  type FieldCase,
} from './field-cases.ts';

/** A test of one rule of a field: the form's valid example with `value` in `field`. */
export interface RuleCase extends FieldCase {
  readonly form: FormSchema;
  readonly field: string;
}

/** Returns the body that a case submits. */
export function bodyOf({ form, field, value }: RuleCase): Record<string, unknown> {
  const body = validExample(form);
  if (value === undefined) delete body[field];
  else body[field] = value;
  return body;
}

const visitorEmail = email('Please enter a valid email address');
const visitorName = nameLine('Name', 'Name must be at least 2 characters', 2);
const organization = nameLine('Company/Organization name', 'Company/Organization name is required', 2);
const serviceType = selection('Service type', 'Please select a service type');
const budget = selection('Budget range', 'Please select your budget range');
const timeframe = selection('Timeframe', 'Please select your timeframe');
const urgency = selection('Urgency level', 'Please select urgency level');
const currentChallengesMessage = 'Please describe your current challenges (minimum 20 characters)';
const aiGoalsMessage = 'Please describe your AI goals (minimum 20 characters)';
const detailsMessage = 'Please provide project details (minimum 10 characters)';

const someId = '0192f0c1-2b7e-7c3a-9d53-6f2a10b7c001';
const statusMessage = 'Status must be one of new, contacted, qualified, won, lost';
const ownerMessage = 'Owner must be the id of an account, or null';
const idsMessage = 'Leads must be a list of 1 to 500 ids';
const leadChange = {
  status: [
    ...formOnly(notFilledIn(null)),
    ...closedSet(statusMessage, ['new', 'contacted', 'qualified', 'won', 'lost']),
  ],
  ownerId: [
    { name: 'missing', value: undefined, message: null },
    { name: 'null', value: null, message: null },
    { name: 'an id', value: someId, message: null },
    { name: 'an id in capitals', value: someId.toUpperCase(), message: ownerMessage },
    { name: 'a word', value: 'me', message: ownerMessage },
    ...notText(ownerMessage),
  ],
  answered: onOrOff('Answered must be on or off'),
};

const passkeyName = lineCases({
  min: 1,
  max: 60,
  missed: 'Please enter a name',
  tooLong: 'Name must be at most 60 characters',
  unprintable: 'Name must be one line of plain text',
});

const bytes = (label: string, limit: number): FieldCase[] => [
  ...notFilledIn(`${label} must be Base64url`),
  ...notText(`${label} must be Base64url`),
  ...['a+b', 'a/b', 'ab==', 'a b', 'é'].map((value) => ({
    name: `wrong: ${value}`,
    value,
    message: `${label} must be Base64url`,
  })),
  { name: 'one letter', value: '-', message: null },
  { name: `${limit} letters`, value: '_'.repeat(limit), message: null },
  {
    name: `${limit + 1} letters`,
    value: 'a'.repeat(limit + 1),
    message: `${label} must be at most ${limit.toLocaleString('en-US')} characters`,
  },
];

const forms: readonly (readonly [form: FormSchema, fields: Readonly<Record<string, readonly FieldCase[]>>])[] = [
  [
    portfolioRequestForm,
    {
      email: visitorEmail,
      source: [
        ...notFilledIn('Source must be portfolio_view'),
        ...closedSet('Source must be portfolio_view', ['portfolio_view']),
      ],
    },
  ],
  [
    contactForm,
    {
      firstName: nameLine('First name', 'First name is required'),
      lastName: nameLine('Last name', 'Last name is required'),
      email: email('Invalid email address'),
      service: [
        ...notFilledIn('Please select a service'),
        ...closedSet('Please select a service', ['ugc', 'mvp', 'leadgen', 'all']),
      ],
      message: longText('Message', 10, 'Message must be at least 10 characters'),
    },
  ],
  [
    careerApplicationForm,
    {
      firstName: nameLine('First name', 'First name is required'),
      lastName: nameLine('Last name', 'Last name is required'),
      email: email('Invalid email address'),
      phone: lineCases({
        min: 10,
        max: 40,
        missed: 'Phone number must be at least 10 digits',
        tooLong: 'Phone number must be at most 40 characters',
        unprintable: 'Phone number must be one line of plain text',
      }),
      position: selection('Position', 'Please select a position'),
      experience: [
        ...notFilledIn('Please select your experience level'),
        ...closedSet('Please select your experience level', ['entry', 'mid', 'senior', 'lead']),
      ],
      portfolio: webLink('Portfolio'),
      coverLetter: longText('Cover letter', 50, 'Cover letter must be at least 50 characters'),
      resume: webLink('Resume'),
    },
  ],
  [
    projectInquiryForm,
    {
      name: visitorName,
      email: visitorEmail,
      company: optionalLine('Company', 100),
      phone: optionalLine('Phone number', 40),
      serviceType,
      budget,
      timeframe,
      urgency,
      businessDescription: longText(
        'Business description',
        10,
        'Please describe your business (minimum 10 characters)',
      ),
      projectDescription: longText('Project description', 10, 'Please describe your project (minimum 10 characters)'),
      specificFeatures: longText(
        'Specific features',
        20,
        'Please describe the specific features you need (minimum 20 characters)',
      ),
      successCriteria: longText(
        'Success criteria',
        20,
        'Please describe your success criteria (minimum 20 characters)',
      ),
      competitors: longText('Competitors', 10, 'Please describe your competitors (minimum 10 characters)'),
      service: formOnly([...notFilledIn(null), ...closedSet('Service must be Project Inquiry', ['Project Inquiry'])]),
      projectDetails: textCases({
        min: 0,
        max: 26_000,
        missed: 'Project details must be plain text',
        tooLong: 'Project details must be at most 26,000 characters',
        unprintable: 'Project details must be plain text',
      }),
      goals: longText('Goals', 0, 'Goals must be plain text'),
    },
  ],
  [
    serviceInquiryForm,
    {
      name: visitorName,
      email: visitorEmail,
      company: optionalLine('Company', 100),
      phone: optionalLine('Phone number', 40),
      service: selection('Service', 'Please select a service'),
      budget,
      timeframe,
      urgency,
      projectDetails: longText('Project details', 10, detailsMessage),
      goals: longText('Goals', 0, 'Goals must be plain text'),
      serviceType,
    },
  ],
  [
    discoveryForm,
    {
      name: visitorName,
      email: visitorEmail,
      company: organization,
      phone: optionalLine('Phone number', 40),
      organizationType: selection('Organization type', 'Please select organization type'),
      investmentRange: selection('Investment range', 'Please select investment range'),
      timeframe: selection('Timeframe', 'Please select timeframe'),
      specificSolutions: selection('Area of interest', 'Please select area of interest'),
      currentChallenges: longText('Current challenges', 20, currentChallengesMessage),
      aiGoals: longText('AI goals', 20, aiGoalsMessage),
    },
  ],
  [
    discoveryInquiryForm,
    {
      name: visitorName,
      email: visitorEmail,
      company: organization,
      phone: optionalLine('Phone number', 40),
      organizationType: ifFilledIn(selection('Organization type', 'Please select organization type')),
      investmentRange: ifFilledIn(selection('Investment range', 'Please select investment range')),
      timeframe: selection('Timeframe', 'Please select timeframe'),
      specificSolutions: ifFilledIn(selection('Area of interest', 'Please select area of interest')),
      currentChallenges: ifFilledIn(longText('Current challenges', 20, currentChallengesMessage)),
      aiGoals: ifFilledIn(longText('AI goals', 20, aiGoalsMessage)),
      budget: selection('Investment range', 'Please select investment range'),
      projectDetails: textCases({
        min: 10,
        max: 26_000,
        missed: detailsMessage,
        tooLong: 'Project details must be at most 26,000 characters',
        unprintable: 'Project details must be plain text',
      }),
      goals: longText('Goals', 0, 'Goals must be plain text'),
      service: ifFilledIn(selection('Service', 'Please select a service')),
      serviceType: formOnly(serviceType),
      urgency: ifFilledIn(urgency),
    },
  ],
  [
    signInForm,
    {
      username: nameLine('Username', 'Username is required'),
      password: knownPassword('Password'),
    },
  ],
  [
    recipeForm,
    {
      title: nameLine('Title', 'Title is required'),
      description: longText('Description', 1, 'Description is required'),
      instructions: textCases({
        min: 1,
        max: 50_000,
        missed: 'Instructions are required',
        tooLong: 'Instructions must be at most 50,000 characters',
        unprintable: 'Instructions must be plain text',
      }),
      category: [
        ...notFilledIn('Category is required'),
        ...closedSet('Category is required', ['development', 'design', 'marketing', 'process', 'client-management']),
      ],
      difficulty: [
        ...notFilledIn(null),
        ...closedSet('Please select a difficulty', ['easy', 'medium', 'hard', 'expert']),
      ],
      tags: textList('Tags', 'Each tag'),
      tools: textList('Tools', 'Each tool'),
      notionPageUrl: webLink('Notion page URL'),
      estimatedTime: optionalLine('Estimated time', 100),
      isPublic: [
        { name: 'missing', value: undefined, message: null },
        { name: 'null', value: null, message: null },
        { name: 'true', value: true, message: null },
        { name: 'false', value: false, message: null },
        { name: 'the word true', value: 'true', message: 'Public must be on or off' },
        { name: 'the number 1', value: 1, message: 'Public must be on or off' },
        { name: 'a list', value: [true], message: 'Public must be on or off' },
      ],
    },
  ],
  [
    newAccountForm,
    {
      name: nameLine('Name', 'Name is required'),
      username: newUsername,
      password: newPassword('Password must be at least 8 characters'),
      email: ifFilledIn(visitorEmail),
      role: closedSet('Please choose a role', ['owner', 'member']),
    },
  ],
  [newPasswordForm, { password: newPassword('Password must be at least 8 characters') }],
  [passwordConfirmationForm, { password: knownPassword('Password') }],
  [
    ownPasswordForm,
    {
      currentPassword: knownPassword('Current password'),
      password: newPassword('Password must be at least 8 characters'),
    },
  ],
  [
    leadEmailsForm,
    {
      leadEmails: closedSet('Emails about leads must be one of hourly, immediate, never', [
        'hourly',
        'immediate',
        'never',
      ]),
    },
  ],
  [ownAccountForm, { name: nameLine('Name', 'Name is required'), email: ifChanged(visitorEmail) }],
  [
    codeForm,
    {
      code: lineCases({
        min: 1,
        max: 40,
        missed: 'Code is required',
        tooLong: 'Code must be at most 40 characters',
        unprintable: 'Code must be one line of plain text',
      }),
    },
  ],
  [passkeyNameForm, { name: passkeyName }],
  [
    newPasskeyForm,
    {
      name: passkeyName,
      id: bytes('Id of the passkey', 1364),
      clientDataJSON: bytes('Client data', 16_000),
      attestationObject: bytes('Attestation', 16_000),
      transports: [
        { name: 'missing', value: undefined, message: null },
        { name: 'an empty list', value: [], message: null },
        { name: '10 names', value: Array.from({ length: 10 }, () => 'smart-card'), message: null },
        ...[Array.from({ length: 11 }, () => 'usb'), 'usb'].map((value) => ({
          name: `wrong: ${typeof value}`,
          value,
          message: 'Transports must be a list of up to 10 names',
        })),
        ...['USB', 'u sb'].map((value) => ({
          name: `wrong: ${value}`,
          value: [value],
          message: 'Each transport must be a name in lower case',
        })),
        { name: 'a long name', value: ['x'.repeat(21)], message: 'Each transport must be at most 20 characters' },
      ],
    },
  ],
  [
    passkeySignatureForm,
    {
      id: bytes('Id of the passkey', 1364),
      clientDataJSON: bytes('Client data', 16_000),
      authenticatorData: bytes('Authenticator data', 16_000),
      signature: bytes('Signature', 16_000),
    },
  ],
  [
    accountChangeForm,
    {
      isActive: [
        { name: 'missing', value: undefined, message: null },
        { name: 'true', value: true, message: null },
        { name: 'false', value: false, message: null },
        { name: 'the word true', value: 'true', message: 'Active must be on or off' },
        { name: 'the number 0', value: 0, message: 'Active must be on or off' },
        { name: 'a list', value: [true], message: 'Active must be on or off' },
      ],
      password: newPassword(null),
      email: ifChanged(visitorEmail),
      role: closedSet('Please choose a role', ['owner', 'member']),
    },
  ],
  [
    leadChangeForm,
    {
      ...leadChange,
      seenStatus: leadChange.status,
      seenOwnerId: leadChange.ownerId,
      seenAnswered: leadChange.answered,
    },
  ],
  [
    leadBulkChangeForm,
    {
      ids: [
        ...notFilledIn(idsMessage),
        { name: 'no ids', value: [], message: idsMessage },
        { name: '500 ids', value: Array.from({ length: 500 }, () => someId), message: null },
        { name: '501 ids', value: Array.from({ length: 501 }, () => someId), message: idsMessage },
        { name: 'one id without a list', value: someId, message: idsMessage },
        { name: 'an object', value: { 0: someId }, message: idsMessage },
        { name: 'something else in the list', value: [someId, 'all'], message: 'Each lead must be an id' },
        { name: 'an id in capitals', value: [someId.toUpperCase()], message: 'Each lead must be an id' },
      ],
      ...leadChange,
      spam: onOrOff('Spam must be on or off'),
      undoes: [
        { name: 'missing', value: undefined, message: null },
        { name: '255 characters', value: 'x'.repeat(255), message: null },
        ...['x'.repeat(256), 'two words', 'é', 42].map((value) => ({
          name: `wrong: ${String(value).slice(0, 10)}`,
          value,
          message: 'The change to undo must be an Idempotency-Key',
        })),
      ],
    },
  ],
  [
    leadViewForm,
    {
      name: lineCases({
        min: 1,
        max: 60,
        missed: 'Please enter a name',
        tooLong: 'Name must be at most 60 characters',
        unprintable: 'Name must be one line of plain text',
      }),
      search: [
        { name: 'missing', value: undefined, message: null },
        { name: 'empty', value: '', message: null },
        { name: '2,048 characters', value: `q=${'x'.repeat(2046)}`, message: null },
        {
          name: '2,049 characters',
          value: `q=${'x'.repeat(2047)}`,
          message: 'Search must be at most 2,048 characters',
        },
        ...['q=a b', 'q=é', 'q=a\nb', 42, ['q=a']].map((value) => ({
          name: `wrong: ${JSON.stringify(value)}`,
          value,
          message: 'Search must be a query string',
        })),
      ],
    },
  ],
  [
    leadViewOrderForm,
    {
      ids: [
        { name: 'no ids', value: [], message: null },
        { name: '50 ids', value: Array.from({ length: 50 }, () => someId), message: null },
        ...[undefined, Array.from({ length: 51 }, () => someId), someId].map((value) => ({
          name: `wrong: ${typeof value}`,
          value,
          message: 'Views must be a list of up to 50 ids',
        })),
        { name: 'something else in the list', value: [someId, 'all'], message: 'Each view must be an id' },
      ],
    },
  ],
  [
    replyForm,
    {
      subject: lineCases({
        min: 1,
        max: 200,
        missed: 'Subject is required',
        tooLong: 'Subject must be at most 200 characters',
        unprintable: 'Subject must be one line of plain text',
      }),
      text: textCases({
        min: 1,
        max: 10_000,
        missed: 'Message is required',
        tooLong: 'Message must be at most 10,000 characters',
        unprintable: 'Message must be plain text',
      }),
      replaces: [
        { name: 'missing', value: undefined, message: null },
        { name: 'an id', value: someId, message: null },
        { name: 'another text', value: 'the last one', message: 'The replaced reply must be an id' },
      ],
      seenActivity: [
        ...[undefined, null, 0, 2_147_483_647].map((value) => ({ name: String(value), value, message: null })),
        ...['1', 1.5, -1, 2_147_483_648].map((value) => ({
          name: `wrong: ${JSON.stringify(value)}`,
          value,
          message: 'The activity that was seen must be a whole number',
        })),
      ],
    },
  ],
  [
    recipientForm,
    {
      email: visitorEmail,
      changeLead: onOrOff('Change of the lead must be on or off'),
    },
  ],
  [erasureForm, { email: visitorEmail }],
  [noteForm, { text: longText('Note', 1, 'Please write a note') }],
  [
    retryAllForm,
    {
      state: [
        ...notFilledIn('State must be one of failed, withheld, cancelled'),
        ...closedSet('State must be one of failed, withheld, cancelled', ['failed', 'withheld', 'cancelled']),
      ],
      transport: closedSet('Transport must be one of email, webhook', ['email', 'webhook']),
    },
  ],
  [
    cancelAllForm,
    {
      state: [
        ...notFilledIn('State must be one of pending, failed, withheld'),
        ...closedSet('State must be one of pending, failed, withheld', ['pending', 'failed', 'withheld']),
      ],
      transport: closedSet('Transport must be one of email, webhook', ['email', 'webhook']),
    },
  ],
];

/** The boundary cases of every rule of every form. Messages are written out, because the product specifies them. */
export const ruleCases: readonly RuleCase[] = forms.flatMap(([form, fields]) =>
  Object.entries(fields).flatMap(([field, fieldCases]) =>
    fieldCases.map((fieldCase) => ({ form, field, ...fieldCase })),
  ),
);
