import { brand } from '@dune-tide/domain/brand';
import { careerApplicationForm } from '@dune-tide/domain/forms/career-application';
import { contactForm } from '@dune-tide/domain/forms/contact';
import { discoveryInquiryForm } from '@dune-tide/domain/forms/discovery';
import type { FormSchema } from '@dune-tide/domain/forms/form-schema';
import { portfolioRequestForm } from '@dune-tide/domain/forms/portfolio-request';
import { projectInquiryForm } from '@dune-tide/domain/forms/project-inquiry';
import { serviceInquiryForm } from '@dune-tide/domain/forms/service-inquiry';
import { leadDefinitions } from '@dune-tide/domain/leads';
import { validExample } from '@dune-tide/domain/test/examples';
import { until } from '@dune-tide/testkit/until';
import { startConsumer, type FollowUpConsumer } from '@dune-tide/platform/queue/consumer';
import type { WakeUp } from '@dune-tide/platform/queue/jobs';
import { readSettings } from '@dune-tide/platform/settings';
import { expect } from 'chai';
import { memoryLogger } from '@dune-tide/testkit/log';
import { publicForms, withTestApi, type ProblemBody, type StoredLead } from './support.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const staffEmail = 'team@studio.example';

const composedDetails = [
  'Business description:\nWe roast coffee and run four cafés.',
  'Project description:\nAn app to order ahead and to collect stamps.',
  'Specific features:\nOrdering, payment, stamps, a screen for the barista.',
  'Success criteria:\nA third of the morning orders come through the app.',
  'Competitors:\nThe two big chains in town.',
].join('\n\n');

/** Returns the stored fields of a form's valid example. */
const storedFields = (form: FormSchema): Record<string, unknown> => {
  const { portfolio, resume, ...fields } = validExample(form);
  if (form === careerApplicationForm) return { ...fields, portfolioUrl: portfolio, resumeUrl: resume };
  if (form === projectInquiryForm) {
    return { ...fields, projectDetails: composedDetails, goals: fields['successCriteria'] };
  }
  return fields;
};

describe('the public forms', () => {
  const api = withTestApi({ staffEmail });
  beforeEach(() => api().clear());

  for (const { form, path, kind } of publicForms) {
    describe(`${form.$id} at ${path}`, () => {
      const visitor = String(validExample(form)['email']);

      it('returns 201 with the id of the lead as JSON', async () => {
        const response = await api().post(path, validExample(form));

        expect(response.status).to.equal(201);
        expect(response.headers['content-type']).to.match(/^application\/json(;|$)/);
        expect(response.json()).to.have.all.keys('id');
        expect((response.json() as StoredLead).id).to.match(uuid);
      });

      it('is stored exactly as sent', async () => {
        const response = await api().post(path, validExample(form));

        const [lead, ...others] = await api().leads();
        expect(others).to.have.length(0);
        expect(lead).to.deep.include({
          ...(response.json() as StoredLead),
          kind,
          email: visitor,
          status: leadDefinitions[kind].initialStatus,
          answers: storedFields(form),
          idempotency_key: null,
        });
      });

      it('is stored without unknown keys', async () => {
        const extras = {
          id: 'mine',
          status: 'won',
          kind: 'contact',
          created_at: '2001-01-01',
          isAdmin: true,
          toString: 'x',
        };

        const response = await api().post(path, { ...extras, ...validExample(form) });

        expect(response.status).to.equal(201);
        const [lead] = await api().leads();
        expect(lead?.answers).to.deep.equal(storedFields(form));
        expect(lead?.status).to.equal(leadDefinitions[kind].initialStatus);
      });

      it('is stored with trimmed values', async () => {
        const padded = Object.fromEntries(
          Object.entries(validExample(form)).map(([field, value]) => [field, ` \n\t\u00a0${String(value)}\u00a0\r\n `]),
        );

        const response = await api().post(path, padded);

        expect(response.status, response.text).to.equal(201);
        const [lead] = await api().leads();
        expect(lead?.answers).to.deep.equal(storedFields(form));
        expect(lead?.email).to.equal(visitor);
      });

      it('creates an email to the visitor and a notice to staff, each with its own Message-ID', async () => {
        const response = await api().post(path, validExample(form));

        const { id } = response.json() as StoredLead;
        const toVisitor = kind === 'portfolio_request' ? 'portfolio_pdf' : 'acknowledgement';
        const followUps = await api().followUps();
        expect(followUps.map((row) => [row.lead_id, row.kind, row.recipient, row.state, row.attempts])).to.deep.equal([
          [id, toVisitor, visitor, 'pending', 0],
          [id, 'staff_notice', staffEmail, 'pending', 0],
        ]);
        for (const row of followUps) expect(row.message_id).to.equal(`<${row.id}@${brand.mailDomain}>`);
      });
    });
  }

  it('store what the visitor meant: no invisible characters, a complete link, a phone number to dial', async () => {
    const response = await api().post('/api/careers', {
      ...validExample(careerApplicationForm),
      firstName: '\u2068Thandi\u2069\t',
      lastName: 'van\u00a0der\r\nMerwe\u200b',
      email: 'thandi@\u200fb\u00fccher.example',
      phone: '۰۸۲ ۵۵۵ ۰۱۷۷',
      portfolio: 'thandi.example/work',
      resume: undefined,
    });

    expect(response.status, response.text).to.equal(201);
    const [lead] = await api().leads();
    expect(lead?.answers).to.deep.include({
      firstName: 'Thandi',
      lastName: 'van der Merwe',
      phone: '082 555 0177',
      portfolioUrl: 'https://thandi.example/work',
    });
    expect(lead?.email).to.equal('thandi@xn--bcher-kva.example');
    expect((await api().followUps())[0]?.recipient).to.equal('thandi@xn--bcher-kva.example');
  });

  it('accept an application without its optional links', async () => {
    const { portfolio: _, resume: __, ...body } = validExample(careerApplicationForm);

    const response = await api().post('/api/careers', { ...body, portfolio: '' });

    expect(response.status).to.equal(201);
    expect((await api().leads())[0]?.answers).to.deep.equal(body);
  });

  it('store the texts that the project inquiry page composed', async () => {
    const composed = { projectDetails: 'Composed by the page.', goals: 'Goals of the page.' };

    await api().post('/api/service-inquiry', { ...validExample(projectInquiryForm), ...composed });

    expect((await api().leads())[0]?.answers).to.deep.equal({ ...validExample(projectInquiryForm), ...composed });
  });

  it('compose the texts that were sent blank', async () => {
    await api().post('/api/service-inquiry', { ...validExample(projectInquiryForm), projectDetails: ' ', goals: null });

    expect((await api().leads())[0]?.answers).to.deep.equal(storedFields(projectInquiryForm));
  });

  it('store five fields of maximum length and the text that is composed of them', async () => {
    const longest = 'ا'.repeat(5000);
    const fields = Object.fromEntries(
      ['businessDescription', 'projectDescription', 'specificFeatures', 'successCriteria', 'competitors'].map(
        (field) => [field, longest],
      ),
    );

    const response = await api().post('/api/service-inquiry', { ...validExample(projectInquiryForm), ...fields });

    expect(response.status).to.equal(201);
    expect((await api().leads())[0]?.answers['projectDetails']).to.have.length.within(25_000, 26_000);
  });
});

describe('the notice of a lead', () => {
  for (const [name, address] of [
    ['the shortest address', 'a@b'],
    ['an address without a dot', 'root@localhost'],
    ['the longest address', `a@${'b'.repeat(252)}`],
  ] as const) {
    describe(`to ${name} that the settings accept`, () => {
      const api = withTestApi(() => ({
        staffEmail: readSettings({ STAFF_EMAIL: address }, { required: ['STAFF_EMAIL'], optional: [] }).STAFF_EMAIL,
      }));

      it('is stored as a follow-up', async () => {
        const response = await api().post('/api/contact', validExample(contactForm));

        expect(response.status, response.text).to.equal(201);
        const notices = (await api().followUps()).filter((row) => row.kind === 'staff_notice');
        expect(notices.map(({ recipient }) => recipient)).to.deep.equal([address]);
      });
    });
  }
});

describe('the jobs of a lead', () => {
  const api = withTestApi({ staffEmail });

  describe('in the queue', () => {
    let consumer: FollowUpConsumer;
    const wokenUp: WakeUp[] = [];

    before(async () => {
      const take = async (wakeUp: WakeUp): Promise<void> => void wokenUp.push(wakeUp);
      consumer = await startConsumer({ databaseUrl: api().databaseUrl }, take, 5, memoryLogger().logger);
    });
    after(() => consumer.close());

    for (const { form, path } of publicForms) {
      it(`are one for each follow-up of a ${form.$id}`, async () => {
        await api().clear();
        await api().post(path, validExample(form));

        const required = (await api().followUps()).map(({ id, kind }) => ({ id, kind }));
        const arrived = (): WakeUp[] => wokenUp.filter(({ id }) => required.some((row) => row.id === id));
        await until('both jobs arrive', () => arrived().length >= required.length);
        expect(required).to.have.length(2);
        expect(arrived()).to.have.deep.members(required);
      });
    }
  });
});

describe('POST /api/service-inquiry', () => {
  const api = withTestApi();
  const path = '/api/service-inquiry';
  beforeEach(() => api().clear());

  const fieldsRefused = async (body: Record<string, unknown>): Promise<string[]> => {
    const response = await api().post(path, body);
    expect(response.status).to.equal(422);
    return ((response.json() as ProblemBody).errors ?? []).map(({ field }) => field);
  };

  it('validates a body with the service "Project Inquiry" by the project inquiry rules', async () => {
    expect(await fieldsRefused({ service: ' Project Inquiry ' })).to.include.members([
      'businessDescription',
      'competitors',
    ]);
    expect(
      await fieldsRefused({ service: 'Project Inquiry', serviceType: 'KingRose Discovery' }),
      'service has priority',
    ).to.include('competitors');
  });

  it('validates a body with the serviceType "KingRose Discovery" by the discovery rules', async () => {
    const fields = await fieldsRefused({ serviceType: 'KingRose Discovery' });

    expect(fields).to.deep.equal(['name', 'email', 'company', 'timeframe', 'budget', 'projectDetails']);
  });

  it('validates any other body by the rules of the service pages', async () => {
    const expected = ['name', 'email', 'service', 'budget', 'timeframe', 'urgency', 'projectDetails', 'serviceType'];

    expect(await fieldsRefused({})).to.deep.equal(expected);
    expect(await fieldsRefused({ service: ['Project Inquiry'], serviceType: 7 })).to.deep.equal(expected);
  });

  it('accepts a discovery request with the mapped fields only', async () => {
    const fieldsBehind = new Set([
      'organizationType',
      'investmentRange',
      'specificSolutions',
      'currentChallenges',
      'aiGoals',
    ]);
    const mapped = Object.fromEntries(
      Object.entries(validExample(discoveryInquiryForm)).filter(([field]) => !fieldsBehind.has(field)),
    );

    const response = await api().post(path, mapped);

    expect(response.status).to.equal(201);
    expect((await api().leads())[0]?.answers).to.deep.equal(mapped);
  });

  it('accepts labels that are no longer offered', async () => {
    const labels = { service: 'Fax Campaigns', budget: '$1', timeframe: 'Yesterday', urgency: 'Whenever' };

    const response = await api().post(path, { ...validExample(serviceInquiryForm), ...labels });

    expect(response.status).to.equal(201);
    expect((await api().leads())[0]?.answers).to.include(labels);
  });
});

describe('the public forms without a staff address', () => {
  const api = withTestApi();
  beforeEach(() => api().clear());

  for (const [form, path, followUp] of [
    [portfolioRequestForm, '/api/portfolio-lead', 'portfolio_pdf'],
    [contactForm, '/api/contact', 'acknowledgement'],
  ] as const) {
    it(`create one email to the visitor of ${path} and no other`, async () => {
      await api().post(path, validExample(form));

      const followUps = await api().followUps();
      expect(followUps.map(({ kind, recipient }) => [kind, recipient])).to.deep.equal([
        [followUp, String(validExample(form)['email'])],
      ]);
    });
  }
});
