import { checkAuditLog } from '@dune-tide/db/audit-log';
import { expect } from 'chai';
import type { auditEntryResponse } from '@dune-tide/domain/responses/audit-entry';
import type { Json } from '@dune-tide/domain/responses/schema';
import { contactForm } from '@dune-tide/domain/forms/contact';
import { validExample } from '@dune-tide/domain/test/examples';
import { addStaff, signIn, testPassword, type TestSession } from './staff-support.ts';
import { jsonRequest, withTestApi, type TestResponse, type StoredLead } from './support.ts';

type Entry = Json<typeof auditEntryResponse>;

describe('the audit log', () => {
  const api = withTestApi();
  let noura: TestSession;
  let thabo: TestSession;
  let leadId = '';
  before(async () => {
    noura = await signIn(api(), await addStaff(api(), { name: 'Noura', username: 'noura' }));
    thabo = await signIn(api(), await addStaff(api(), { name: 'Thabo', username: 'thabo' }));
    leadId = ((await api().post('/api/contact', validExample(contactForm))).json() as StoredLead).id;
    await noura.patch(`/leads/${leadId}`, { status: 'contacted' });
    await noura.patch(`/team/${thabo.account.id}`, { email: 'thabo@studio.example' });
    await api().post('/api/admin/login', { username: 'thabo', password: 'not the password' });
    await api().post('/api/admin/login', { username: 'a stranger', password: 'not the password' });
  });
  const entries = (response: TestResponse): Entry[] => response.json() as Entry[];
  const read = async (query = ''): Promise<Entry[]> => entries(await noura.get(`/audit-log${query}`));
  const shown = (all: readonly Entry[]) =>
    all.map(({ action, actor, actorName, subjectName }) => [action, actor, actorName, subjectName]);

  it('is listed newest first, with the names of accounts', async () => {
    const all = await read();
    expect(shown(all)).to.deep.equal([
      ['sign_in_refused', 'unknown', null, null],
      ['sign_in_refused', 'unknown', null, 'Thabo'],
      ['email_entered', 'staff', 'Noura', 'Thabo'],
      ['lead_status', 'staff', 'Noura', null],
      ['signed_in', 'staff', 'Thabo', 'Thabo'],
      ['signed_in', 'staff', 'Noura', 'Noura'],
    ]);
    expect(all[3]).to.include({ subjectId: leadId });
  });

  it('is filtered by action, and by person whether they acted or were affected', async () => {
    expect(shown(await read('?action=signed_in'))).to.have.length(2);
    expect((await read(`?person=${thabo.account.id}`)).map(({ action }) => action)).to.deep.equal([
      'sign_in_refused',
      'email_entered',
      'signed_in',
    ]);
    expect((await read(`?person=${noura.account.id}&action=email_entered`)).map(({ action }) => action)).to.deep.equal([
      'email_entered',
    ]);
    expect(await read('?action=no_such_action')).to.deep.equal([]);
    for (const query of ['?person=noura', '?action=DROP', '?person=', '?action=']) {
      expect((await noura.get(`/audit-log${query}`)).status, query).to.equal(422);
    }
  });

  it('is read page by page, with the filter in the link', async () => {
    for (const query of ['', `person=${thabo.account.id}`]) {
      const whole = await read(`?${query}`);
      const found: Entry[] = [];
      let path: string | undefined = `/api/admin/audit-log?${query}&limit=1`.replace('?&', '?');
      for (let page = 0; path !== undefined && page < 20; page++) {
        const response: TestResponse = await noura.send({ path });
        found.push(...entries(response));
        path = /<([^>]+)>/.exec(String(response.headers['link'] ?? ''))?.[1];
      }
      expect(found).to.deep.equal(whole);
    }
    expect((await noura.get('/audit-log?limit=1')).headers['x-total-count']).to.equal('6');
  });

  it('has the network and the device of sign-ins and refusals', async () => {
    const headers = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
    const from = '127.0.0.9';
    const attempt = (password: string) =>
      api().send({ ...jsonRequest('POST', '/api/admin/login', { username: 'noura', password }, headers), from });
    const before = (await read()).length;
    expect((await attempt(testPassword)).status).to.equal(200);
    for (let failure = 0; failure < 5; failure++) expect((await attempt('not the password')).status).to.equal(401);
    for (let more = 0; more < 2; more++) expect((await attempt('not the password')).status).to.equal(429);
    const all = await read();
    const added = all.slice(0, all.length - before).reverse();
    expect(added.map(({ action, subjectName }) => [action, subjectName])).to.deep.equal(
      ['signed_in', ...Array<string>(5).fill('sign_in_refused'), 'attempt_limited', 'attempt_limited'].map((action) => [
        action,
        'Noura',
      ]),
    );
    for (const { network, device } of added) {
      expect({ network, device }).to.deep.equal({ network: '127.0.0.0/24', device: 'Firefox on Linux' });
    }
    expect(all.find(({ action }) => action === 'email_entered')).to.include({ network: null, device: null });
    expect((await checkAuditLog(api().database)).outcome).to.equal('whole');
  });
});
