import { receiptLimit } from '@dune-tide/domain/limits';
import type { FormSchema } from '@dune-tide/domain/forms/form-schema';
import { validExample } from '@dune-tide/domain/test/examples';
import { idTokens } from '@dune-tide/platform/id-tokens';
import { contactForm } from '@dune-tide/domain/forms/contact';
import { expect } from 'chai';
import { publicForms, withTestApi } from './support.ts';

const keys = ['the first key, which signs the new links', 'a former key, which signed the old links'];

describe('the receipt of a lead', () => {
  const api = withTestApi({ sessionKeys: keys, trustedProxies: '127.0.0.1' });

  beforeEach(async () => {
    for (const table of ['leads', 'rate_limits']) await api().database(table).delete();
  });

  async function store(form: FormSchema = contactForm, path = '/api/contact', fields: object = {}): Promise<string> {
    const response = await api().post(path, { ...validExample(form), ...fields });
    return (response.json() as { readonly id: string }).id;
  }
  const linkTo = (leadId: string, signing: readonly string[] = keys): string =>
    `/receipt/${idTokens(signing, 'receipt-token').issue(leadId)}`;
  const get = (path: string) => api().send({ method: 'GET', path });
  const post = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    api().send({ method: 'POST', path, headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers } });
  const ids = () => api().database('leads').pluck<string[]>('id');

  for (const { form, path } of publicForms) {
    it(`shows every field of the form ${form.$id}, the time and the state, without scripts`, async () => {
      const { status, text } = await get(linkTo(await store(form, path)));
      expect(status).to.equal(200);
      expect(text).to.not.include('<script').and.not.include('undefined');
      for (const [field, value] of Object.entries(validExample(form))) {
        const isShown =
          field !== 'source' && !(form.$id === 'project-inquiry' && ['projectDetails', 'goals'].includes(field));
        if (!isShown || typeof value !== 'string') continue;
        expect(text, field).to.include(`<dt>${form.properties[field]?.description}</dt>`);
      }
      expect(text).to.match(/ of \d+ \w+ \d{4} at \d\d:\d\d/);
      expect(text.includes('We have not answered it yet.')).to.equal(form.$id !== 'portfolio-request');
    });
  }

  it('has a link to the privacy notice', async () => {
    expect((await get(linkTo(await store()))).text).to.include('<a href="/privacy">Privacy notice</a>');
  });

  it('shows what the visitor typed as text', async () => {
    const message = '<script>alert(1)</script> & "quotes"';
    const { text } = await get(linkTo(await store(contactForm, '/api/contact', { message })));
    expect(text).to.include('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;quotes&quot;');
  });

  it('states that the lead is answered, and nothing about the work of staff', async () => {
    const id = await store();
    await api().database('leads').where({ id }).update({ answered_at: new Date(), status: 'lost' });
    const { text } = await get(linkTo(id));
    expect(text).to.include('We have answered it.').and.not.include('lost');
  });

  it('changes nothing when a mail scanner follows its links', async () => {
    const id = await store();
    for (const path of [linkTo(id), `${linkTo(id)}/withdraw`]) {
      for (const method of ['GET', 'HEAD', 'OPTIONS']) await api().send({ method, path });
    }
    expect(await ids()).to.deep.equal([id]);
  });

  it('is kept out of caches, search engines and referrers', async () => {
    const link = linkTo(await store());
    for (const { headers } of [
      await get(link),
      await get(`${link}/withdraw`),
      await get('/receipt/x'),
      await post(`${link}/withdraw`),
    ]) {
      expect(headers).to.include({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex, nofollow',
      });
      expect(headers['set-cookie']).to.equal(undefined);
    }
  });

  it('withdraws and deletes only its lead, after a confirmation', async () => {
    const [id, other] = [await store(), await store()];
    const link = linkTo(id);
    const { text } = await get(`${link}/withdraw`);
    expect(text).to.match(/<form method="post">\s*<button type="submit">Withdraw and delete<\/button>/);
    const withdrawn = await post(`${link}/withdraw`, { Origin: 'null', 'Sec-Fetch-Site': 'same-origin' });
    expect(withdrawn.status).to.equal(200);
    expect(withdrawn.text).to.include('Withdrawn and deleted');
    expect(await ids()).to.deep.equal([other]);
    expect(await api().database('follow_ups').where({ lead_id: id })).to.deep.equal([]);
    expect(await api().database('audit_log').where({ subject_id: id, action: 'lead_withdrawn' })).to.have.length(1);
    for (const again of [await post(`${link}/withdraw`), await get(link)]) expect(again.status).to.equal(404);
  });

  it('survives a rotation of keys', async () => {
    expect((await get(linkTo(await store(), keys.slice(1)))).status).to.equal(200);
  });

  it('is the same error page for unknown, forged, expired and erased links', async () => {
    const [id, erased, old] = [await store(), await store(), await store()];
    await api().database('leads').where({ id: erased }).delete();
    await api()
      .database('leads')
      .where({ id: old })
      .update({ created_at: new Date(Date.now() - 91 * 86_400_000) });
    const known = linkTo(id);
    const other = known.endsWith('A') ? 'B' : 'A';
    const links = [
      linkTo(erased),
      linkTo(old),
      linkTo(id, ['a key that the API does not have']),
      `/receipt/${idTokens(keys, 'unsubscribe-token').issue(id)}`,
      known.slice(0, -1) + other,
      `${known}A`,
      '/receipt/x',
      `/receipt/${id}`,
    ];
    for (const suffix of ['', '/withdraw']) {
      const responses = await Promise.all(links.map((link) => get(link + suffix)));
      expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).to.equal(1);
      expect(responses[0]?.status).to.equal(404);
    }
    for (const link of links) expect((await post(`${link}/withdraw`)).status).to.equal(404);
    expect(await ids()).to.have.members([id, old]);
  });

  it('is limited for each link, withdraws after that many readings, and its token is not logged', async () => {
    const link = linkTo(await store());
    const from = { 'X-Forwarded-For': '203.0.113.9' };
    for (let times = 0; times < receiptLimit.requests; times++) {
      await api().send({ method: 'GET', path: link, headers: from });
    }
    const refused = await api().send({ method: 'GET', path: link, headers: from });
    expect(refused.status).to.equal(429);
    expect(refused.text).to.include('Please try again later');
    expect((await api().send({ method: 'GET', path: linkTo(await store()), headers: from })).status).to.equal(200);
    expect((await post(`${link}/withdraw`, from)).status).to.equal(200);
    expect(await ids()).to.have.length(1);
    const log = JSON.stringify(api().logLines());
    expect(log).to.include('/receipt/:token/withdraw');
    expect(log.includes(link.slice('/receipt/'.length))).to.equal(false);
  });
});
