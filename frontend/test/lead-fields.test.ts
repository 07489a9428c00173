import { composeProjectDetails } from '@dune-tide/domain/forms/project-inquiry';
import { expect } from 'chai';
import { draftOfRecipe, replyText } from '../src/features/leads/reply/reply-text.ts';
import type { LeadOf } from '@dune-tide/domain/responses/lead';
import { leadFields } from '../src/features/leads/details/lead-fields.ts';
import { leadName, leadStatus, serviceOrPosition, urgencyLevel } from '../src/features/leads/lead-labels.ts';
import { mailLink, phoneLink } from '../src/features/leads/links.ts';
import { formatCount } from '../src/format/numbers.ts';

const any = {
  id: '0192f0c1-2b7e-7c3a-9d53-6f2a10b7c001',
  email: 'n@example.com',
  spamSign: null,
  owner: null,
  dueAt: null,
  answeredAt: null,
  response: 'none',
  version: 1,
  activity: 0,
  createdAt: '2026-11-21T10:00:00.000Z',
} as const;
const contact: LeadOf<'contact'> = {
  ...any,
  kind: 'contact',
  firstName: 'Noura',
  lastName: 'al-Harbi',
  status: 'new',
  service: 'leadgen',
  message: 'Hello\nthere',
};
const values = {
  businessDescription: 'We roast coffee.',
  projectDescription: 'We want a shop.',
  specificFeatures: 'Subscriptions and gift cards.',
  successCriteria: 'A third of sales online.',
  competitors: 'The roaster next door.',
};
const inquiry: LeadOf<'service_inquiry'> = {
  ...any,
  kind: 'service_inquiry',
  name: 'Thabo Nkosi',
  company: null,
  phone: null,
  service: 'Video Testimonials',
  serviceType: 'UGC Creatives',
  status: 'won',
  urgency: 'Critical - ASAP required',
  budget: '$50,000+',
  timeframe: '1-2 weeks',
  projectDetails: 'Ten films.',
  goals: null,
  updatedAt: '2026-11-22T10:00:00.000Z',
};
const career: LeadOf<'career_application'> = {
  ...any,
  kind: 'career_application',
  firstName: 'Zoë',
  lastName: 'Botha',
  status: 'new',
  phone: '+27 21 555 0101',
  position: 'other',
  experience: 'lead',
  portfolioUrl: null,
  resumeUrl: 'javascript:alert(1)',
  coverLetter: 'Dear studio',
};
const portfolio: LeadOf<'portfolio_request'> = {
  ...any,
  kind: 'portfolio_request',
  status: null,
  source: 'portfolio_view',
};

const labels = (...[lead]: Parameters<typeof leadFields>) => leadFields(lead).map(({ label }) => label);
const value = (lead: Parameters<typeof leadFields>[0], label: string) =>
  leadFields(lead).find((field) => field.label === label)?.value;

describe('the fields of a lead', () => {
  it('are all fields of its kind, including empty ones, and start with what the visitor wants', () => {
    expect(labels(contact)).to.deep.equal(['Service', 'Message', 'First name', 'Last name', 'Email', 'Received']);
    expect(labels(inquiry)).to.deep.equal([
      'Service',
      'Service type',
      'Project details',
      'Goals',
      'Budget range',
      'Timeframe',
      'Urgency level',
      'Name',
      'Company',
      'Email',
      'Phone number',
      'Received',
      'Updated',
    ]);
    expect(labels(career)).to.deep.equal([
      'Position',
      'Experience level',
      'Cover letter',
      'Portfolio',
      'Resume',
      'First name',
      'Last name',
      'Email',
      'Phone number',
      'Received',
    ]);
    expect(labels(portfolio)).to.deep.equal(['Email', 'Source', 'Received']);
    expect(value(inquiry, 'Company')).to.equal(null);
    expect(value(career, 'Portfolio')).to.equal(null);
  });

  it('omit empty fields that its form does not have', () => {
    expect(labels({ ...career, resumeUrl: null })).to.not.include('Resume');
    expect(labels({ ...inquiry, serviceType: 'KingRose Discovery' })).to.not.include('Goals');
    expect(labels({ ...inquiry, serviceType: 'KingRose Discovery', goals: 'More calls.' })).to.include('Goals');
  });

  it('isolate their text direction in plain text', () => {
    const turned = { ...contact, firstName: '\u202Enimda', lastName: 'Botha' };
    expect(leadName(turned)).to.equal('nimda Botha');
    expect(replyText(turned).text).to.match(/^Hello nimda,\n/);
    expect(leadName({ ...contact, firstName: 'سارة', lastName: 'van der Merwe' })).to.equal(
      '\u2068سارة\u2069 van der Merwe',
    );
    expect(replyText({ ...inquiry, service: '\u202Edia' }).subject).to.match(/^Re: dia - /);
  });

  it('have the labels of the form', () => {
    expect(value(contact, 'Service')).to.equal('Lead Generation Systems');
    expect(value(career, 'Position')).to.equal('Other / General Application');
    expect(value(career, 'Experience level')).to.equal('Lead/Manager (8+)');
    expect(serviceOrPosition({ ...career, position: 'A position of an older page' })).to.equal(
      'A position of an older page',
    );
  });

  it('show the fields of a project inquiry once, with their own labels', () => {
    const project = {
      ...inquiry,
      ...values,
      projectDetails: composeProjectDetails(values),
      goals: values.successCriteria,
    };
    expect(labels(project).slice(2, 7)).to.deep.equal([
      'Business description',
      'Project description',
      'Specific features',
      'Success criteria',
      'Competitors',
    ]);
    expect(value(project, 'Competitors')).to.equal(values.competitors);
  });

  it('also show its details and goals if they differ from the other fields', () => {
    const project = { ...inquiry, ...values, projectDetails: 'In short: a shop.', goals: 'More sales.' };
    expect(labels(project).slice(7, 9)).to.deep.equal(['Project details', 'Goals']);
    const { competitors: _, ...cutOff } = { ...inquiry, ...values };
    expect(labels(cutOff).slice(2, 8)).to.deep.equal([
      'Business description',
      'Project description',
      'Specific features',
      'Success criteria',
      'Project details',
      'Goals',
    ]);
  });

  it('name the requested service and the form that it came from in the same way for each inquiry', () => {
    const project = { ...inquiry, service: 'Project Inquiry', serviceType: 'Mobile App Development' };
    const discovery = { ...inquiry, service: 'AI Transformation Discovery', serviceType: 'KingRose Discovery' };
    const of = (lead: LeadOf<'service_inquiry'>) => [value(lead, 'Service'), value(lead, 'Service type')];
    expect([inquiry, project, discovery].map(of)).to.deep.equal([
      ['Video Testimonials', 'UGC Creatives'],
      ['Mobile App Development', 'Project Inquiry'],
      ['AI Transformation Discovery', 'KingRose Discovery'],
    ]);
  });

  it('have a status, which is new by default', () => {
    expect([contact, inquiry].map(leadStatus)).to.deep.equal(['new', 'won']);
  });

  it('have the urgency of the word before the dash', () => {
    const said = [
      'Critical - ASAP required',
      'High - Discovery Session',
      'Medium',
      'low',
      'Soon - please',
      'constructor',
    ];
    expect(said.map(urgencyLevel)).to.deep.equal(['urgent', 'high', 'medium', 'low', undefined, undefined]);
  });
});

describe('the links of a lead', () => {
  it('are calls if there is a number to dial', () => {
    expect(phoneLink('+966 11 555 0101')).to.equal('tel:+966115550101');
    expect(phoneLink('please write')).to.equal(undefined);
    expect(phoneLink('11+22')).to.equal(undefined);
  });

  it('dial the number as written, with any separator between its digits', () => {
    const written = ['+27 (21) 555-0199', '(021) 555 0199', '021.555.0199', '021-555\u20110199', ' 0215550199 '];
    expect(written.map(phoneLink)).to.deep.equal(['tel:+27215550199', ...Array(4).fill('tel:0215550199')]);
    expect(phoneLink('(+27) 21 555 0199')).to.equal('tel:+27215550199');
    expect(phoneLink('+966\u00a011\u00a0555\u00a00101')).to.equal('tel:+966115550101');
    expect(phoneLink('٠٥٠١٢٣٤٥٦٧')).to.equal('tel:0501234567');
    expect(phoneLink('+123456789012345')).to.equal('tel:+123456789012345');
  });

  it('do not dial text that could be another number', () => {
    for (const phone of [
      '+27 21 555 0199 ext. 12',
      '+27 21 555 0199 x12',
      '+27 21 555 0199,12',
      '+27 21 555 0199 #12',
      '+27 (0)21 555 0199',
      '0027 ( 0 ) 21 555 0199',
      '021 555 0199 / 082 555 0100',
      '5550199/5550100',
      '021 555 0199; 082 555 0100',
      '0215550199 0825550100',
      '+1234567890123456',
      '12',
      '+',
    ]) {
      expect(phoneLink(phone), phone).to.equal(undefined);
    }
  });

  it('are emails to the whole address and to no other', () => {
    expect(mailLink('noura@example.com')).to.equal('mailto:noura@example.com');
    expect(mailLink("o'neill+a?bcc=x&y@example.com")).to.equal("mailto:o'neill%2Ba%3Fbcc%3Dx%26y@example.com");
  });
});

describe('the reply to a lead', () => {
  it('has the service or position as its subject', () => {
    expect(replyText(contact).subject).to.equal('Re: Lead Generation Systems - Dune & Tide');
    expect(replyText(inquiry).subject).to.equal('Re: Video Testimonials - Dune & Tide');
    expect(replyText(career).subject).to.equal('Re: Other / General Application - Dune & Tide');
    expect(replyText(portfolio).subject).to.equal('Re: Your inquiry - Dune & Tide');
    expect(replyText({ ...inquiry, service: ' ' }).subject).to.equal('Re: Your inquiry - Dune & Tide');
  });

  it('take a recipe in place of their sign-off, or as a whole if it has a salutation', () => {
    const { text } = replyText(contact);
    const start = text.slice(0, text.indexOf('Best regards'));
    for (const recipe of ['We meet on Monday.\n\nYours,\nThabo', 'Monday', 'Agenda\n\n- Scope']) {
      expect(draftOfRecipe(text, recipe)).to.equal(start + recipe);
    }
    for (const recipe of ['Dear Noura,\n\nMonday.', 'مرحبا نورة،\nالاثنين']) {
      expect(draftOfRecipe(text, recipe)).to.equal(recipe);
    }
  });

  it('starts with a greeting', () => {
    expect([contact, inquiry, career, portfolio].map((lead) => replyText(lead).text.split('\n')[0])).to.deep.equal([
      'Hello Noura,',
      'Hello Thabo,',
      'Hello Zoë,',
      'Hello,',
    ]);
  });
});

describe('the greeting of a reply to an inquiry', () => {
  for (const [name, greeting] of [
    ['Layla Haddad', 'Hello Layla,'],
    ['  Thabo  Nkosi ', 'Hello Thabo,'],
    ['Noura', 'Hello Noura,'],
    ['Dr. Amal Said', 'Hello Dr. Amal,'],
    ['Prof Anna Botha', 'Hello Prof Anna,'],
    ['Abdul Rahman al-Saud', 'Hello Abdul Rahman,'],
    ['Jean-Luc van der Merwe', 'Hello Jean-Luc,'],
    ['Dr.', 'Hello Dr.,'],
  ] as const) {
    it(`uses the first name of “${name}”`, () => {
      expect(replyText({ ...inquiry, name }).text.split('\n')[0]).to.equal(greeting);
    });
  }

  it('keeps both words of an Arabic name that has two', () => {
    const greetings = ['عبد الله الحربي', 'ليلى حداد', 'أبو بكر سالم'].map((name) =>
      replyText({ ...inquiry, name })
        .text.split('\n')[0]
        ?.replaceAll(/[\u2066-\u2069]/g, ''),
    );
    expect(greetings).to.deep.equal(['Hello عبد الله,', 'Hello ليلى,', 'Hello أبو بكر,']);
  });
});

it('counts have thousands separators', () => {
  expect([0, 999, 1000, 1_234_567].map(formatCount)).to.deep.equal(['0', '999', '1,000', '1,234,567']);
});
