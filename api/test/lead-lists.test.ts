import { randomUUID } from 'node:crypto';
import { brand } from '@dune-tide/domain/brand';
import { leadSearchIndex } from '@dune-tide/db/leads';
import { careerApplicationForm } from '@dune-tide/domain/forms/career-application';
import { contactForm } from '@dune-tide/domain/forms/contact';
import { discoveryInquiryForm } from '@dune-tide/domain/forms/discovery';
import type { FormSchema } from '@dune-tide/domain/forms/form-schema';
import { portfolioRequestForm } from '@dune-tide/domain/forms/portfolio-request';
import { projectInquiryForm } from '@dune-tide/domain/forms/project-inquiry';
import { serviceInquiryForm } from '@dune-tide/domain/forms/service-inquiry';
import type { LeadKind } from '@dune-tide/domain/leads';
import { validExample } from '@dune-tide/domain/test/examples';
import { expect } from 'chai';
import { impossibleIds, ordinaryTexts } from './hostile-values.ts';
import { withSession } from './staff-support.ts';
import { withTestApi, type TestResponse, type StoredLead } from './support.ts';

type Item = Record<string, unknown>;

interface List {
  readonly path: string;
  readonly kind: LeadKind;
  readonly form: FormSchema;
  readonly sentTo: string;
}

const lists: readonly List[] = [
  { path: '/contacts', kind: 'contact', form: contactForm, sentTo: '/api/contact' },
  {
    path: '/service-inquiries',
    kind: 'service_inquiry',
    form: serviceInquiryForm,
    sentTo: '/api/service-inquiry',
  },
  { path: '/careers', kind: 'career_application', form: careerApplicationForm, sentTo: '/api/careers' },
];

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('the staff’s lists of leads', () => {
  const api = withTestApi();
  const staff = withSession(api);
  beforeEach(() => api().clear());

  const itemsOf = (response: TestResponse): Item[] => {
    expect(response.status, response.text).to.equal(200);
    return response.json() as Item[];
  };

  /** Sends a form and returns the id of the lead. */
  async function submit(sentTo: string, body: unknown): Promise<string> {
    const response = await api().post(sentTo, body);
    expect(response.status, response.text).to.equal(201);
    return (response.json() as StoredLead).id;
  }

  /** Stores contact messages with the given times in milliseconds, and returns their ids in the order of the list. */
  async function storeContacts(times: readonly number[]): Promise<string[]> {
    const fields = JSON.stringify(validExample(contactForm));
    const rows = times.map((time) => ({
      id: randomUUID(),
      kind: 'contact',
      email: 'noura@example.com',
      answers: fields,
      created_at: new Date(Date.UTC(2026, 0, 1) + time),
    }));
    await api().database('leads').insert(rows);
    return rows
      .toSorted((a, b) => Number(b.created_at) - Number(a.created_at) || (a.id < b.id ? 1 : -1))
      .map(({ id }) => id);
  }

  const nextPath = (response: TestResponse): string | undefined => {
    const { link } = response.headers;
    if (link === undefined) return undefined;
    const [, path] = /^<\/api\/admin(\/[^>]*)>; rel="next"$/.exec(String(link)) ?? [];
    return path ?? expect.fail(`Link: ${String(link)}`);
  };

  /** Follows the links from a page to the last one. */
  async function follow(path: string): Promise<TestResponse[]> {
    const responses: TestResponse[] = [];
    for (let next: string | undefined = path; next !== undefined;) {
      const response = await staff().get(next);
      expect(response.status, response.text).to.equal(200);
      responses.push(response);
      next = nextPath(response);
    }
    return responses;
  }

  /** The members that a new lead with a clock has besides its fields. */
  const clocked = (createdAt: unknown): Item => ({
    ...unclocked,
    dueAt: new Date(Date.parse(String(createdAt)) + brand.responsePromiseHours * 3_600_000).toISOString(),
    response: 'waiting',
  });
  const unclocked: Item = {
    status: 'new',
    spamSign: null,
    owner: null,
    dueAt: null,
    answeredAt: null,
    response: 'none',
    version: 1,
    activity: 0,
  };

  describe('have exactly the documented members', () => {
    it('of a contact message', async () => {
      const id = await submit('/api/contact', validExample(contactForm));
      const [item, ...others] = itemsOf(await staff().get('/contacts'));

      expect(others).to.deep.equal([]);
      expect(item?.['createdAt']).to.match(isoTime);
      const { createdAt } = item ?? {};
      expect(item).to.deep.equal({ id, ...validExample(contactForm), ...clocked(createdAt), createdAt });
    });

    it('of an inquiry from a service page', async () => {
      const id = await submit('/api/service-inquiry', validExample(serviceInquiryForm));
      const [item] = itemsOf(await staff().get('/service-inquiries'));

      const { createdAt, updatedAt } = item ?? {};
      expect(createdAt).to.match(isoTime);
      expect(updatedAt).to.equal(createdAt);
      expect(item).to.deep.equal({
        id,
        ...validExample(serviceInquiryForm),
        ...clocked(createdAt),
        createdAt,
        updatedAt,
      });
    });

    it('of an inquiry without optional fields', async () => {
      const { company: _, phone: __, goals: ___, ...body } = validExample(serviceInquiryForm);
      const id = await submit('/api/service-inquiry', body);
      const [item] = itemsOf(await staff().get('/service-inquiries'));

      const { createdAt, updatedAt } = item ?? {};
      expect(item).to.deep.equal({
        id,
        ...body,
        company: null,
        phone: null,
        goals: null,
        ...clocked(createdAt),
        createdAt,
        updatedAt,
      });
    });

    it('of a project inquiry, with its raw fields and the composed text', async () => {
      const id = await submit('/api/service-inquiry', validExample(projectInquiryForm));
      const [item] = itemsOf(await staff().get('/service-inquiries'));

      const { createdAt, updatedAt, projectDetails } = item ?? {};
      expect(projectDetails).to.include(validExample(projectInquiryForm)['competitors']);
      expect(item).to.deep.equal({
        id,
        ...validExample(projectInquiryForm),
        projectDetails,
        goals: validExample(projectInquiryForm)['successCriteria'],
        ...clocked(createdAt),
        createdAt,
        updatedAt,
      });
    });

    it('of a discovery request', async () => {
      await submit('/api/service-inquiry', validExample(discoveryInquiryForm));
      const [item] = itemsOf(await staff().get('/service-inquiries'));

      // The composed text contains these fields.
      const { organizationType, investmentRange, currentChallenges, aiGoals, specificSolutions, ...mapped } =
        validExample(discoveryInquiryForm);
      const { id, createdAt, updatedAt } = item ?? {};
      expect(item).to.deep.equal({ id, ...mapped, goals: null, ...clocked(createdAt), createdAt, updatedAt });
      expect([organizationType, investmentRange, currentChallenges, aiGoals, specificSolutions]).to.not.include(
        undefined,
      );
      expect(item).to.include({ serviceType: 'KingRose Discovery', status: 'new' });
    });

    it('of an application', async () => {
      const { portfolio, resume, ...fields } = validExample(careerApplicationForm);
      const id = await submit('/api/careers', { ...fields, portfolio, resume });
      const [item] = itemsOf(await staff().get('/careers'));

      const { createdAt } = item ?? {};
      expect(createdAt).to.match(isoTime);
      expect(item).to.deep.equal({
        id,
        ...fields,
        portfolioUrl: portfolio,
        resumeUrl: resume,
        ...unclocked,
        createdAt,
      });
    });

    it('of an application without links', async () => {
      const { portfolio: _, resume: __, ...fields } = validExample(careerApplicationForm);
      const id = await submit('/api/careers', fields);
      const [item] = itemsOf(await staff().get('/careers'));

      expect(item).to.deep.equal({
        id,
        ...fields,
        portfolioUrl: null,
        resumeUrl: null,
        ...unclocked,
        createdAt: item?.['createdAt'],
      });
    });

    it('of texts that look like markup, SQL or templates, as typed', async () => {
      for (const [, text] of ordinaryTexts) {
        await submit('/api/contact', {
          ...validExample(contactForm),
          firstName: text.slice(0, 50).trim(),
          message: text,
        });
      }
      const messages = itemsOf(await staff().get('/contacts')).map((item) => item['message']);
      expect(messages).to.have.members(ordinaryTexts.map(([, text]) => text));
    });

    it('and never the idempotency key or its hash', async () => {
      await api().post('/api/contact', validExample(contactForm), { 'Idempotency-Key': 'a-key-of-the-page' });
      expect((await staff().get('/contacts')).text).to.not.match(/a-key-of-the-page|hash|idempotency/i);
    });
  });

  for (const { path, form, sentTo } of lists) {
    describe(`GET ${path}`, () => {
      it('returns an empty array and a total of 0 without leads', async () => {
        const response = await staff().get(path);
        expect(itemsOf(response)).to.deep.equal([]);
        expect(response.headers['x-total-count']).to.equal('0');
        expect(response.headers).to.not.have.property('link');
      });

      it('returns JSON that is not cached', async () => {
        const response = await staff().get(path);
        expect(response.headers['content-type']).to.match(/^application\/json/);
        expect(response.headers['cache-control']).to.equal('no-store');
      });

      it('counts and lists only its own kind', async () => {
        for (const list of lists) await submit(list.sentTo, validExample(list.form));
        await submit('/api/portfolio-lead', validExample(portfolioRequestForm));
        const id = await submit(sentTo, validExample(form));

        const response = await staff().get(path);
        expect(itemsOf(response)).to.have.length(2);
        expect(itemsOf(response)[0]).to.include({ id });
        expect(response.headers['x-total-count']).to.equal('2');
      });

      it('supports reading only', async () => {
        for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
          const response = await staff().sendJson(method, `/api/admin${path}`);
          expect(response.status, method).to.equal(405);
          expect(response.headers['allow']).to.match(/GET/);
        }
      });
    });
  }

  describe('in pages', () => {
    it('have up to 100 leads, newest first, with the total and a link to the next page', async () => {
      const ids = await storeContacts(Array.from({ length: 250 }, (_, index) => index));
      const responses = await follow('/contacts');

      expect(responses.map((response) => itemsOf(response).length)).to.deep.equal([100, 100, 50]);
      expect(responses.flatMap((response) => itemsOf(response).map(({ id }) => id))).to.deep.equal(ids);
      expect(responses.map((response) => response.headers['x-total-count'])).to.deep.equal(['250', '250', '250']);
    });

    it('list each lead once, even if several have the same time', async () => {
      const ids = await storeContacts(Array.from({ length: 23 }, (_, index) => (index < 17 ? 5 : index)));
      for (const limit of [4, 22, 23]) {
        const responses = await follow(`/contacts?limit=${limit}`);
        expect(
          responses.flatMap((response) => itemsOf(response).map(({ id }) => id)),
          `by ${limit}`,
        ).to.deep.equal(ids);
      }
    });

    it('have no link on the last page, even if it is full', async () => {
      await storeContacts([1, 2, 3, 4]);
      const responses = await follow('/contacts?limit=2');
      expect(responses.map((response) => itemsOf(response).length)).to.deep.equal([2, 2]);
    });

    it('do not shift when a new lead arrives, and count it immediately', async () => {
      const ids = await storeContacts([1, 2, 3, 4, 5, 6]);
      const first = await staff().get('/contacts?limit=3');
      await submit('/api/contact', validExample(contactForm));
      const second = await staff().get(nextPath(first) ?? '');

      expect([...itemsOf(first), ...itemsOf(second)].map(({ id }) => id)).to.deep.equal(ids);
      expect([first, second].map((response) => response.headers['x-total-count'])).to.deep.equal(['6', '7']);
    });

    it('are empty if the remaining leads were deleted', async () => {
      const ids = await storeContacts([1, 2, 3]);
      const first = await staff().get('/contacts?limit=2');
      await api().database('leads').where({ id: ids[2] }).delete();
      const second = await staff().get(nextPath(first) ?? '');
      expect(itemsOf(second)).to.deep.equal([]);
      expect(second.headers).to.not.have.property('link');
    });

    it('are refused with a changed cursor or one of another list', async () => {
      await storeContacts([1, 2, 3]);
      const [, cursor = ''] = /cursor=([^&]+)/.exec(nextPath(await staff().get('/contacts?limit=1')) ?? '') ?? [];
      expect(cursor).to.match(/^[\w-]+$/);

      expect((await staff().get(`/contacts?cursor=${cursor}`)).status).to.equal(200);
      expect((await staff().get(`/careers?cursor=${cursor}`)).status).to.equal(422);
      for (let index = 0; index < cursor.length; index += 7) {
        const other = cursor[index] === 'A' ? 'B' : 'A';
        const changed = `${cursor.slice(0, index)}${other}${cursor.slice(index + 1)}`;
        expect((await staff().get(`/contacts?cursor=${changed}`)).status, changed).to.equal(422);
      }
      const place = `1767225600000.${randomUUID()}`;
      const base64url = (text: string): string => Buffer.from(text).toString('base64url');
      for (const changed of [
        cursor.slice(1),
        cursor.slice(0, -1),
        `${cursor}A`,
        `${cursor}=`,
        ` ${cursor}`,
        ...[place, `${place}.AAAAAAAA`, `-1.${randomUUID()}.AAAAAAAA`, '{"id":0}'].map(base64url),
      ]) {
        expect((await staff().get(`/contacts?cursor=${encodeURIComponent(changed)}`)).status, changed).to.equal(422);
      }
    });
  });

  describe('GET /leads/{id}', () => {
    for (const { path, kind, form, sentTo } of lists) {
      it(`returns a ${kind} as in its list, and its kind`, async () => {
        const id = await submit(sentTo, validExample(form));
        const [item] = itemsOf(await staff().get(path));
        const response = await staff().get(`/leads/${id}`);
        expect(response.status).to.equal(200);
        expect(response.json()).to.deep.equal({ kind, ...item });
      });
    }

    it('returns a portfolio request', async () => {
      const id = await submit('/api/portfolio-lead', validExample(portfolioRequestForm));
      const item = (await staff().get(`/leads/${id}`)).json() as Item;
      expect(item['createdAt']).to.match(isoTime);
      expect(item).to.deep.equal({
        kind: 'portfolio_request',
        id,
        ...validExample(portfolioRequestForm),
        ...unclocked,
        status: null,
        createdAt: item['createdAt'],
      });
    });

    it('has the version as its ETag', async () => {
      const id = await submit('/api/contact', validExample(contactForm));
      expect((await staff().get(`/leads/${id}`)).headers.etag).to.equal('"1"');
    });

    it('accepts an id in upper case', async () => {
      const id = await submit('/api/contact', validExample(contactForm));
      expect((await staff().get(`/leads/${id.toUpperCase()}`)).json()).to.include({ id });
    });

    it('returns 404 for an unknown or malformed id', async () => {
      for (const id of [randomUUID(), ...impossibleIds]) {
        const response = await staff().get(`/leads/${id}`);
        expect(response.status, id).to.equal(404);
        expect(response.headers['content-type']).to.match(/^application\/problem\+json/);
      }
    });
  });

  describe('GET /leads?email=', () => {
    const idsOf = (response: TestResponse): unknown[] => itemsOf(response).map(({ id }) => id);
    const makeSearchable = () => leadSearchIndex(api().database).fillOlder();

    it('returns the leads of an address in any case, with their kinds, without portfolio requests', async () => {
      const { email } = validExample(contactForm);
      const ids: string[] = [];
      for (const { sentTo, form } of lists) {
        ids.unshift(await submit(sentTo, { ...validExample(form), email: String(email).toUpperCase() }));
      }
      await submit('/api/portfolio-lead', { ...validExample(portfolioRequestForm), email });
      await submit('/api/contact', { ...validExample(contactForm), email: 'someone@example.com' });
      await makeSearchable();
      const response = await staff().get(`/leads?email=${encodeURIComponent(String(email))}`);
      expect(idsOf(response)).to.deep.equal(ids);
      expect(itemsOf(response)[0]).to.deep.equal((await staff().get(`/leads/${ids[0]}`)).json());
      expect(response.headers).to.include({ 'x-total-count': '3' });
    });

    it('has pages, whose links keep the address', async () => {
      const email = 'noura+news&more@example.com';
      const ids = await storeContacts([1, 2, 3, 4, 5]);
      await api().database('leads').update({ email });
      await makeSearchable();
      const pages = await follow(`/leads?limit=2&email=${encodeURIComponent(email)}`);
      expect(pages.flatMap(idsOf)).to.deep.equal(ids);
      expect(pages).to.have.length(3);
    });

    it('counts up to a thousand leads', async () => {
      await storeContacts(Array.from({ length: 1_001 }, (_, index) => index));
      await makeSearchable();
      const { headers } = await staff().get('/leads?email=noura@example.com');
      expect(headers).to.include({ 'x-total-count-over': '1000' }).and.to.not.have.property('x-total-count');
    });
  });
});
