import { contactForm } from '@dune-tide/domain/forms/contact';
import { validExample } from '@dune-tide/domain/test/examples';
import { expect } from 'chai';
import { withSession } from './staff-support.ts';
import { withTestApi, type TestResponse, type ProblemBody, type StoredLead } from './support.ts';

const someId = '019ab0de-0000-7000-8000-000000000000';
const states = 'pending, sending, sent, failed, withheld, cancelled';

/** Paths of the lists below `/api/admin`, with the parameters that they need. */
const lists = [
  '/contacts?',
  '/service-inquiries?',
  '/careers?',
  '/leads?',
  '/audit-log?',
  '/follow-ups?state=sent&',
  '/opt-outs?',
  '/leads/{id}/history?',
];

/** Queries with the `detail` of their 422 without its full stop, or null if they are accepted. */
const queries: readonly (readonly [path: string, outcomes: Readonly<Record<string, string | null>>])[] = [
  [
    '/leads',
    {
      'q=': 'q must have 1 to 200 characters',
      [`q=${'🌊'.repeat(200).replaceAll('🌊', '%F0%9F%8C%8A')}`]: null,
      [`q=${'a'.repeat(201)}`]: 'q must have 1 to 200 characters',
      'q=%20': null,
      'q=%ff': null,
      'q=a&q=a': 'q must not repeat',
      'q[]=': null,
      'Q=': null,
      'kind=': 'kind must be one of contact, service_inquiry, career_application',
      'kind=contact&kind=contact&kind=career_application': null,
      'kind=portfolio_request': 'kind must be one of contact, service_inquiry, career_application',
      'kind=contact&kind=': 'kind must be one of contact, service_inquiry, career_application',
      'kind=contact,career_application': 'kind must be one of contact, service_inquiry, career_application',
      'kind=%20contact': 'kind must be one of contact, service_inquiry, career_application',
      'status=won&status=new': null,
      'status=open': 'status must be one of ',
      'response=waiting&response=late': 'response must be one of ',
      'owner=': 'owner must be me, none or the id of an account',
      'owner=Me': 'owner must be me, none or the id of an account',
      'owner=me': null,
      'owner=none': null,
      [`owner=${someId.toUpperCase()}`]: null,
      [`owner=%7B${someId}%7D`]: 'owner must be me, none or the id of an account',
      [`owner=${someId.replaceAll('-', '')}`]: 'owner must be me, none or the id of an account',
      'owner=me&owner=me': 'owner must not repeat',
      'from=': 'from must be a day, as YYYY-MM-DD',
      'from=2024-02-29': null,
      'from=2026-02-29': 'from must be a day, as YYYY-MM-DD',
      'from=0000-01-01': 'from must be a day, as YYYY-MM-DD',
      'from=2026-13-01': 'from must be a day, as YYYY-MM-DD',
      'from=2026-03-10T00:00:00Z': 'from must be a day, as YYYY-MM-DD',
      'from=0001-01-01': null,
      'from=%202026-01-01': 'from must be a day, as YYYY-MM-DD',
      'from=%2B2026-01-01': 'from must be a day, as YYYY-MM-DD',
      'from=2026-01-01&from=2026-01-01': 'from must not repeat',
      'to=2026-1-1': 'to must be a day, as YYYY-MM-DD',
      'to=99999-01-01': 'to must be a day, as YYYY-MM-DD',
      'to=9999-12-31': null,
      'spam=': 'spam must be one of with, without, only',
      'spam=with': null,
      'spam=only&spam=only': 'spam must not repeat',
      'email=': 'email must be an email address',
      'email=noura': 'email must be an email address',
      'email=a@example.com,b@example.com': 'email must be an email address',
      'email=noura@example.com': null,
      'email=NOURA@Example.com': null,
      'email=%20noura@example.com': 'email must be an email address',
      [`email=${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(20)}.com`]:
        'email must be an email address',
      'email=a@example.com&email=a@example.com': 'email must not repeat',
      'sort=': 'sort must be one of newest, due',
      'sort=oldest': 'sort must be one of newest, due',
      'sort=due': null,
      'sort=due&sort=due': 'sort must not repeat',
      '__proto__=x&constructor=x&toString=x': null,
      '%': null,
    },
  ],
  [
    '/leads.csv',
    {
      'q=': 'q must have 1 to 200 characters',
      'kind=contact&kind=x': 'kind must be one of contact, service_inquiry, career_application',
      'limit=0&cursor=x': null,
    },
  ],
  [
    '/audit-log',
    {
      'person=': 'person must be the id of an account',
      [`person=${someId.toUpperCase()}`]: null,
      [`person=${someId}x`]: 'person must be the id of an account',
      [`person=${someId}&person=${someId}`]: 'person must be the id of an account',
      'action=': 'action must be the name of an action',
      'action=signed_in': null,
      'action=no_such_action': null,
      'action=Signed_in': 'action must be the name of an action',
      [`action=${'a'.repeat(51)}`]: 'action must be the name of an action',
      'action=signed_in&action=signed_in': 'action must be the name of an action',
    },
  ],
  [
    '/people',
    {
      '': 'email must be an email address',
      'email=': 'email must be an email address',
      'email=noura@example.com': null,
      'email=NOURA@Example.com&other=1': null,
      'email=noura': 'email must be an email address',
      'email=noura@example.com%20': 'email must be an email address',
      'email=a@example.com&email=a@example.com': 'email must be an email address',
    },
  ],
  [
    '/people/export',
    {
      '': 'email must be an email address',
      'email=noura': 'email must be an email address',
      'email=a@example.com': null,
    },
  ],
  [
    '/follow-ups',
    {
      '': `state must be one of ${states}`,
      'state=': `state must be one of ${states}`,
      'state=Sent': `state must be one of ${states}`,
      'state=sent&state=sent': `state must be one of ${states}`,
      'state=sent&order=': 'order must be one of ',
      'state=sent&order=newest&order=newest': 'order must be one of ',
      'state=sent&order=newest': null,
      'state=sent&transport=': 'transport must be one of ',
      'state=sent&transport=email&transport=email': 'transport must be one of ',
      'state=sent&transport=email&x=1': null,
    },
  ],
  [
    '/follow-ups/search',
    {
      '': 'term must be an address, an id or a Message-ID',
      'term=noura': 'term must be an address, an id or a Message-ID',
      'term=a@example.com&term=a@example.com': 'term must be an address, an id or a Message-ID',
      'term=a@example.com': null,
    },
  ],
  ['/follow-ups/counts', { 'transport=': 'transport must be one of ', 'transport=email': null, 'limit=0': null }],
];

describe('the parameters of a query', () => {
  const api = withTestApi();
  const staff = withSession(api);
  let leadId = '';
  before(async () => {
    leadId = ((await api().post('/api/contact', validExample(contactForm))).json() as StoredLead).id;
  });

  const detailOf = (response: TestResponse): string | null => {
    if (response.status === 200) return null;
    expect(response.status, response.text).to.equal(422);
    const { detail = '', errors = [] } = response.json() as ProblemBody;
    const [error] = errors;
    expect(errors).to.have.length(1);
    expect(detail).to.equal(`${error?.message}.`);
    expect(error?.message.split(' ')[0]).to.equal(error?.field);
    return String(error?.message);
  };

  it('accept a number of entries in one spelling only', async () => {
    const outcomeOf = async (query: string) => detailOf(await staff().get(`/leads?${query}`));
    for (const limit of ['1', '5', '%35', '99', '100']) expect(await outcomeOf(`limit=${limit}`), limit).to.equal(null);
    for (const ignored of ['Limit=0', 'limit[]=0', 'offset=-1', '&&', '%', '=', 'limit%00=0']) {
      expect(await outcomeOf(ignored), ignored).to.equal(null);
    }
    const wrong = '0 -0 00 05 -1 %2B5 +5 5+ %0A5 1.5 5.0 5. .5 1e1 0x10 0b1 %00 NaN Infinity null true 101 1000 %D9%A3';
    for (const limit of [...wrong.split(' '), '', '1,0', '1_0', '9'.repeat(400), '5&limit=5']) {
      expect(await outcomeOf(`limit=${limit}`), limit).to.equal('limit must be a number from 1 to 100');
    }
  });

  for (const list of lists) {
    it(`are a limit and a cursor at ${list}`, async () => {
      const outcomeOf = async (query: string) => detailOf(await staff().get(list.replace('{id}', leadId) + query));
      expect(await outcomeOf('limit=100')).to.equal(null);
      for (const limit of ['0', '05', '101']) {
        expect(await outcomeOf(`limit=${limit}`), limit).to.equal('limit must be a number from 1 to 100');
      }
      for (const cursor of ['', 'abc', '%00', 'a&cursor=a']) {
        const message = 'cursor must come from the Link header of this list';
        expect(await outcomeOf(`cursor=${cursor}`), cursor).to.equal(message);
      }
    });
  }

  for (const [path, outcomes] of queries) {
    it(`are validated at ${path}`, async () => {
      for (const [query, expected] of Object.entries(outcomes)) {
        const outcome = detailOf(await staff().get(`${path}?${query}`));
        if (expected?.endsWith(' of ')) expect(outcome, query).to.match(new RegExp(`^${expected}\\w+(, \\w+)+$`));
        else expect(outcome, query).to.equal(expected);
      }
    });
  }

  it('are validated before a follow-up is looked up', async () => {
    for (const [change, known] of [
      ['retry', 'failed'],
      ['cancel', 'pending'],
    ] as const) {
      const call = (query: string) => staff().post(`/follow-ups/${someId}/${change}${query}`, undefined);
      for (const query of ['', `?state=${known}`, '?other=1']) expect((await call(query)).status, query).to.equal(404);
      for (const query of ['?state=', '?state=sent', `?state=${known}&state=${known}`]) {
        expect(detailOf(await call(query)), query).to.match(/^state must be one of \w+(, \w+)*$/);
      }
    }
  });

  it('are validated for HEAD as for GET', async () => {
    const head = (path: string) => staff().send({ method: 'HEAD', path: `/api/admin${path}` });
    expect((await head('/leads?limit=05')).status).to.equal(422);
    expect((await head('/leads?limit=5')).status).to.equal(200);
  });
});
