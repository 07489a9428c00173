import { expect } from 'chai';
import { contactForm } from '../src/forms/contact.ts';
import {
  composeDiscoveryDetails,
  discoveryForm,
  discoveryInquiryForm,
  toServiceInquiry,
} from '../src/forms/discovery.ts';
import { inquiryFormFor } from '../src/forms/inquiry-rules.ts';
import { portfolioRequestForm } from '../src/forms/portfolio-request.ts';
import { composeProjectDetails, projectInquiryForm } from '../src/forms/project-inquiry.ts';
import { recipeForm, splitList } from '../src/forms/recipe.ts';
import { serviceInquiryForm } from '../src/forms/service-inquiry.ts';
import { signInForm } from '../src/forms/sign-in.ts';
import { fieldErrors, prepare } from '../src/forms/validation.ts';
import { maxLength } from '../src/limits.ts';
import { errorsOf } from './check.ts';
import { validExample } from './examples.ts';

describe('prepare', () => {
  it('trims text without changing the body', () => {
    const body = { email: '  noura@example.com\n', source: 'portfolio_view' };
    expect(prepare(portfolioRequestForm, body)).to.deep.equal({ email: 'noura@example.com', source: 'portfolio_view' });
    expect(body.email).to.equal('  noura@example.com\n');
  });

  it('keeps line breaks and spaces inside a text', () => {
    const prepared = prepare(contactForm, { message: ' Hello,\n\n  we sell oud.  ' });
    expect(prepared).to.deep.equal({ message: 'Hello,\n\n  we sell oud.' });
  });

  it('keeps invisible characters that belong to a word or an emoji, and all of a long text', () => {
    const body = {
      firstName: '👩\u200d🚀 ❤\ufe0f',
      lastName: 'نامه\u200cای',
      message: 'Z\u200bo\u00ad\u202eë\u202c\t!',
    };
    expect(prepare(contactForm, body)).to.deep.equal(body);
  });

  it('removes unknown keys', () => {
    expect(prepare(portfolioRequestForm, { email: 'a@b.co', id: 7, constructor: { prototype: {} } })).to.deep.equal({
      email: 'a@b.co',
    });
  });

  it('removes empty fields', () => {
    const prepared = prepare(serviceInquiryForm, {
      name: ' ',
      company: null,
      phone: undefined,
      goals: '\n',
      budget: '',
    });
    expect(prepared).to.deep.equal({});
  });

  it('keeps values of a wrong type, which the schema rejects', () => {
    expect(prepare(contactForm, { firstName: 0, lastName: false, message: [' a '] })).to.deep.equal({
      firstName: 0,
      lastName: false,
      message: [' a '],
    });
  });

  it('ignores __proto__ and does not change the prototype', () => {
    const body: unknown = JSON.parse(
      '{"__proto__": {"email": "a@b.co", "polluted": true}, "source": "portfolio_view"}',
    );
    const prepared = prepare(portfolioRequestForm, body);
    expect(prepared).to.deep.equal({ source: 'portfolio_view' });
    expect(Object.getPrototypeOf(prepared)).to.equal(Object.prototype);
    expect({}).to.not.have.property('polluted');
  });

  it('ignores inherited members', () => {
    expect(prepare(portfolioRequestForm, Object.create({ email: 'a@b.co' }))).to.deep.equal({});
  });

  for (const body of [null, undefined, 'text', 7, ['a']]) {
    it(`returns ${JSON.stringify(body)} unchanged`, () => {
      expect(prepare(contactForm, body)).to.equal(body);
    });
  }

  it('trims the entries of a list and removes empty ones', () => {
    expect(prepare(recipeForm, { tags: [' vite ', '', '\t', 'mui'], tools: [7, ' '] })).to.deep.include({
      tags: ['vite', 'mui'],
      tools: [7],
    });
  });

  it('fills in the defaults of a recipe', () => {
    expect(prepare(recipeForm, { title: 'A', difficulty: '', notionPageUrl: ' ' })).to.deep.equal({
      title: 'A',
      difficulty: 'medium',
      tags: [],
      tools: [],
      isPublic: false,
    });
  });

  it('copies a default list for every body', () => {
    const first = prepare(recipeForm, {}) as { tags: string[] };
    first.tags.push('mine');
    expect(prepare(recipeForm, {})).to.deep.include({ tags: [] });
  });

  it('keeps empty lists and false', () => {
    expect(prepare(recipeForm, { tags: [], isPublic: false })).to.deep.include({ tags: [], isPublic: false });
  });

  it('keeps a password as typed', () => {
    expect(prepare(signInForm, { username: ' noura ', password: ' se cret ' })).to.deep.equal({
      username: 'noura',
      password: ' se cret ',
    });
  });

  it('is idempotent', () => {
    const once = prepare(recipeForm, { ...validExample(recipeForm), tags: [' a ', ''] });
    expect(prepare(recipeForm, once)).to.deep.equal(once);
  });
});

describe('fieldErrors', () => {
  it('is empty without violations', () => {
    expect(fieldErrors(contactForm, [])).to.deep.equal([]);
  });

  it('returns one message for each field, in the order of the form', () => {
    const errors = errorsOf(contactForm, { message: 'short', email: 'x'.repeat(300), firstName: 7 });
    expect(errors).to.deep.equal([
      { field: 'firstName', message: 'First name is required' },
      { field: 'lastName', message: 'Last name is required' },
      { field: 'email', message: 'Invalid email address' },
      { field: 'service', message: 'Please select a service' },
      { field: 'message', message: 'Message must be at least 10 characters' },
    ]);
  });

  it('returns the message of the first broken rule of a field', () => {
    const errors = errorsOf(contactForm, { ...validExample(contactForm), message: 'x\u0007' });
    expect(errors).to.deep.equal([{ field: 'message', message: 'Message must be at least 10 characters' }]);
  });

  it('reports a list once, even if several entries are invalid', () => {
    const errors = errorsOf(recipeForm, { ...validExample(recipeForm), tags: ['a,b', 'x'.repeat(51), 7] });
    expect(errors).to.deep.equal([
      { field: 'tags', message: 'Each tag must be one line of plain text without commas' },
    ]);
  });

  it('never repeats the input', () => {
    const errors = errorsOf(contactForm, {
      firstName: { secret: 1 },
      email: 'secret',
      service: 'secret',
      message: 'secret',
    });
    expect(JSON.stringify(errors)).to.not.include('secret');
  });
});

describe('composeProjectDetails', () => {
  it('joins the five fields in labelled paragraphs', () => {
    const details = composeProjectDetails({
      businessDescription: 'We roast coffee.',
      projectDescription: 'An app to order ahead.',
      specificFeatures: 'Ordering.\nPayment.',
      successCriteria: 'A third of the orders.',
      competitors: 'Two big chains.',
    });
    expect(details).to.equal(
      [
        'Business description:\nWe roast coffee.',
        'Project description:\nAn app to order ahead.',
        'Specific features:\nOrdering.\nPayment.',
        'Success criteria:\nA third of the orders.',
        'Competitors:\nTwo big chains.',
      ].join('\n\n'),
    );
  });

  it('stays within the length limit with the longest fields, as does their copy in goals', () => {
    const longest = 'x'.repeat(maxLength.text);
    const values = {
      businessDescription: longest,
      projectDescription: longest,
      specificFeatures: longest,
      successCriteria: longest,
      competitors: longest,
    };
    const body = { ...validExample(projectInquiryForm), ...values };
    const projectDetails = composeProjectDetails(values);
    expect(errorsOf(projectInquiryForm, { ...body, projectDetails, goals: longest })).to.deep.equal([]);
  });
});

describe('a discovery request', () => {
  const values = {
    name: 'Anna Botha',
    email: 'anna@example.com',
    company: 'Table Bay Capital',
    phone: '+27 21 555 0177',
    organizationType: 'VC Firm',
    investmentRange: '$20,000-$50,000',
    timeframe: '3-4 months',
    specificSolutions: 'Automated Due Diligence Tools',
    currentChallenges: 'Reading data rooms takes weeks.',
    aiGoals: 'A first opinion within two days.',
  };
  const details = [
    'Organization type:\nVC Firm',
    'Current challenges:\nReading data rooms takes weeks.',
    'AI goals:\nA first opinion within two days.',
    'Area of interest:\nAutomated Due Diligence Tools',
  ].join('\n\n');

  it('composes its details from four fields', () => {
    expect(composeDiscoveryDetails(values)).to.equal(details);
  });

  it('is mapped to a service inquiry and keeps its fields', () => {
    expect(toServiceInquiry(values)).to.deep.equal({
      ...values,
      serviceType: 'KingRose Discovery',
      service: 'AI Transformation Discovery',
      budget: '$20,000-$50,000',
      urgency: 'High - Discovery Session',
      projectDetails: details,
    });
  });

  it('passes the discovery rules after mapping, even with the longest fields, and keeps every field', () => {
    const longest = {
      ...values,
      currentChallenges: 'x'.repeat(maxLength.text),
      aiGoals: 'x'.repeat(maxLength.text),
      organizationType: 'x'.repeat(maxLength.selection),
      specificSolutions: 'x'.repeat(maxLength.selection),
    };
    for (const filledIn of [values, longest]) {
      const body = toServiceInquiry(filledIn);
      expect(inquiryFormFor(body)).to.equal(discoveryInquiryForm);
      expect(errorsOf(discoveryInquiryForm, body)).to.deep.equal([]);
      expect(prepare(discoveryInquiryForm, body)).to.deep.equal(body);
    }
  });

  it('does not require a phone', () => {
    const { phone: _phone, ...withoutPhone } = values;
    expect(errorsOf(discoveryForm, withoutPhone)).to.deep.equal([]);
    expect(toServiceInquiry(withoutPhone)).to.not.have.property('phone');
  });

  it('is valid with only the mapped fields', () => {
    const { currentChallenges: _1, aiGoals: _2, organizationType: _3, specificSolutions: _4, ...mapped } = values;
    const { investmentRange, ...rest } = mapped;
    const body = {
      ...rest,
      serviceType: 'KingRose Discovery',
      service: 'AI Transformation Discovery',
      budget: investmentRange,
      urgency: 'High - Discovery Session',
      projectDetails: details,
    };
    expect(errorsOf(discoveryInquiryForm, body)).to.deep.equal([]);
  });
});

describe('splitList', () => {
  const cases: readonly (readonly [string, string[]])[] = [
    ['', []],
    [' , ,', []],
    ['vite', ['vite']],
    [' vite , mui,,  react router ', ['vite', 'mui', 'react router']],
    ['a;b\nc', ['a;b c']],
    ['vite\u200b,\tmui\u00a0kit', ['vite', 'mui kit']],
  ];
  for (const [typed, list] of cases) {
    it(`splits ${JSON.stringify(typed)} into ${JSON.stringify(list)}`, () => {
      expect(splitList(typed)).to.deep.equal(list);
    });
  }
});

describe('inquiryFormFor', () => {
  it('selects the project inquiry rules for the service Project Inquiry', () => {
    expect(inquiryFormFor({ service: 'Project Inquiry', serviceType: 'MVP Development' })).to.equal(projectInquiryForm);
    expect(inquiryFormFor({ service: ' Project Inquiry ' })).to.equal(projectInquiryForm);
    expect(inquiryFormFor({ service: 'Project Inquiry', serviceType: 'KingRose Discovery' })).to.equal(
      projectInquiryForm,
    );
  });

  it('selects the discovery rules for the service type KingRose Discovery', () => {
    expect(inquiryFormFor({ service: 'Anything', serviceType: 'KingRose Discovery' })).to.equal(discoveryInquiryForm);
    expect(inquiryFormFor({ serviceType: 'KingRose Discovery' })).to.equal(discoveryInquiryForm);
  });

  it('selects the service page rules for every other body', () => {
    const others: unknown[] = [
      { serviceType: 'UGC Creatives' },
      { service: 'project inquiry' },
      { service: ['Project Inquiry'] },
      Object.create({ service: 'Project Inquiry' }),
      {},
      [],
      null,
      undefined,
      'Project Inquiry',
    ];
    for (const body of others) expect(inquiryFormFor(body)).to.equal(serviceInquiryForm);
  });
});
