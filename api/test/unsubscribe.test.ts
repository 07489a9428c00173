import { contactForm } from '@dune-tide/domain/forms/contact';
import { unsubscribeLimit } from '@dune-tide/domain/limits';
import { validExample } from '@dune-tide/domain/test/examples';
import { idTokens } from '@dune-tide/platform/id-tokens';
import { expect } from 'chai';
import { withSession } from './staff-support.ts';
import { withTestApi } from './support.ts';

const keys = ['the first key, which signs the new links', 'a former key, which signed the old links'];
const staffEmail = 'staff@studio.example';

describe('the page that stops automatic emails', () => {
  const api = withTestApi({ sessionKeys: keys, staffEmail, trustedProxies: '127.0.0.1' });

  beforeEach(async () => {
    for (const table of ['leads', 'email_opt_outs', 'rate_limits']) await api().database(table).delete();
  });

  /** Stores a lead and returns the address of the page for its email of a kind. */
  async function linkOf(email: string, kind = 'acknowledgement', signing: readonly string[] = keys): Promise<string> {
    await api().post('/api/contact', { ...validExample(contactForm), email });
    const followUp = (await api().followUps()).findLast((each) => each.kind === kind);
    return `/unsubscribe/${idTokens(signing, 'unsubscribe-token').issue(followUp?.id ?? '')}`;
  }
  const optedOut = () => api().database('email_opt_outs').pluck<string[]>('mailbox');
  const get = (path: string) => api().send({ method: 'GET', path });
  const post = (path: string, headers: Readonly<Record<string, string>> = {}, body = '') =>
    api().send({
      method: 'POST',
      path,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      body,
    });

  it('changes nothing when a mail scanner follows the link', async () => {
    const link = await linkOf('noura@example.com');
    for (const method of ['GET', 'HEAD', 'GET', 'OPTIONS']) await api().send({ method, path: link });
    expect(await optedOut()).to.deep.equal([]);
  });

  it('shows one button that works without JavaScript, and no address', async () => {
    const { status, text, headers } = await get(await linkOf('noura@example.com'));
    expect(status).to.equal(200);
    expect(headers['content-type']).to.equal('text/html; charset=utf-8');
    expect(text.match(/<form method="post">/g)).to.have.length(1);
    expect(text).to.include('Stop emails to my address').and.not.include('noura').and.not.include('<script');
  });

  it('is kept out of caches, search engines and referrers', async () => {
    const link = await linkOf('noura@example.com');
    for (const { headers } of [await get(link), await post(link), await get('/unsubscribe/other')]) {
      expect(headers).to.include({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex, nofollow',
      });
      expect(headers['content-security-policy']).to.include("script-src 'self'").and.include("frame-ancestors 'none'");
      expect(headers['set-cookie']).to.equal(undefined);
    }
  });

  it('opts the mailbox out on POST, and only once if the POST is repeated', async () => {
    const link = await linkOf('Noura+news@Example.com');
    for (let times = 0; times < 2; times++) {
      const { status, text } = await post(link);
      expect(status).to.equal(200);
      expect(text).to.include('No more automatic emails');
    }
    expect(await optedOut()).to.deep.equal(['noura@example.com']);
  });

  it('accepts the one-click request of a mail program from any origin (RFC 8058)', async () => {
    const link = await linkOf('noura@example.com');
    const foreign = { Origin: 'https://mail.example', 'Sec-Fetch-Site': 'cross-site' };
    expect((await post(link, foreign, 'List-Unsubscribe=One-Click')).status).to.equal(200);
    expect(await optedOut()).to.deep.equal(['noura@example.com']);
  });

  it('accepts the form of the page itself, which sends the origin "null"', async () => {
    const link = await linkOf('noura@example.com');
    expect((await post(link, { Origin: 'null', 'Sec-Fetch-Site': 'same-origin' })).status).to.equal(200);
  });

  it('accepts links that a former key signed', async () => {
    const link = await linkOf('noura@example.com', 'acknowledgement', keys.slice(1));
    expect((await get(link)).status).to.equal(200);
    expect((await post(link)).status).to.equal(200);
    expect(await optedOut()).to.have.length(1);
  });

  it('refuses tokens that no key signed, other encodings of a token, and emails to staff', async () => {
    const link = await linkOf('noura@example.com');
    const token = link.slice('/unsubscribe/'.length);
    const last = token.endsWith('A') ? 'B' : 'A';
    for (const path of [
      await linkOf('noura@example.com', 'acknowledgement', ['a key that is not one of the API']),
      `/unsubscribe/${token.slice(0, -1)}${last}`,
      `/unsubscribe/${token.slice(0, 21)}`,
      `/unsubscribe/${token}A`,
      '/unsubscribe/%00',
      '/unsubscribe/..%2f',
    ]) {
      for (const response of [await get(path), await post(path)]) {
        expect(response.status, path).to.equal(404);
        expect(response.text).to.include('This link is not valid');
      }
    }
    expect((await post(await linkOf('noura@example.com', 'staff_notice'))).status).to.equal(404);
    expect(await optedOut()).to.deep.equal([]);
  });

  it('opts out after a hundred readings of the page by others in the network', async () => {
    const link = await linkOf('noura@example.com');
    const from = { 'X-Forwarded-For': '203.0.113.9' };
    const statuses: number[] = [];
    for (let times = 0; times < 100; times++) {
      const path = times < 50 ? link : await linkOf(`visitor${times}@example.com`);
      statuses.push((await api().send({ method: 'GET', path, headers: from })).status);
    }
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
    expect((await post(link, from)).status).to.equal(200);
  });

  it('is limited for each link, and for an address without a valid one', async () => {
    const link = await linkOf('noura@example.com');
    const from = { 'X-Forwarded-For': '203.0.113.9' };
    for (const path of [link, `${link.slice(0, -1)}_`]) {
      for (let times = 0; times < unsubscribeLimit.requests; times++) await post(path, from);
      const refused = await post(path, from);
      expect(refused.status).to.equal(429);
      expect(Number(refused.headers['retry-after'])).to.be.within(1, unsubscribeLimit.windowSeconds);
      expect(refused.text).to.include('Please try again later').and.not.include('"status"');
    }
    expect((await post(await linkOf('lerato@example.com'), from)).status).to.equal(200);
  });

  it('does not appear in the log with its token', async () => {
    const link = await linkOf('noura@example.com');
    await post(link);
    const line = api()
      .logLines()
      .findLast(({ msg }) => msg === 'request');
    expect(line).to.include({ method: 'POST', path: '/unsubscribe/:token', status: 200 });
    expect(JSON.stringify(api().logLines())).to.not.include(link.slice('/unsubscribe/'.length));
  });
});

describe('opt-outs in the staff area', () => {
  const api = withTestApi({ sessionKeys: keys, staffEmail });
  const staff = withSession(api);

  it('are listed newest first and removed, and then a withheld email can be retried', async () => {
    for (const email of ['noura@example.com', 'lerato@example.com']) {
      await api().post('/api/contact', { ...validExample(contactForm), email });
      const [followUp] = await api().database('follow_ups').where({ recipient: email });
      await api().send({
        method: 'POST',
        path: `/unsubscribe/${idTokens(keys, 'unsubscribe-token').issue(followUp.id)}`,
      });
    }
    const response = await staff().get('/opt-outs');
    expect(response.status).to.equal(200);
    expect(response.headers['x-total-count']).to.equal('2');
    const listed = response.json() as { readonly id: string; readonly mailbox: string }[];
    expect(listed.map(({ mailbox }) => mailbox)).to.deep.equal(['lerato@example.com', 'noura@example.com']);

    const ofMailbox = (email: string) => staff().get(`/opt-outs?email=${encodeURIComponent(email)}`);
    expect((await ofMailbox('Noura+film@example.com')).json()).to.deep.equal([listed[1]]);
    expect((await ofMailbox('thabo@example.com')).json()).to.deep.equal([]);
    expect((await ofMailbox('noura@')).status).to.equal(422);

    const [email] = await api().database('follow_ups').where({ recipient: 'noura@example.com' });
    await api()
      .database('follow_ups')
      .where({ id: email.id })
      .update({ state: 'withheld', withheld_reason: 'opted_out' });
    const refused = await staff().post(`/follow-ups/${email.id}/retry`, undefined);
    expect(refused.status).to.equal(409);
    expect(refused.json()).to.include({ detail: 'The mailbox is opted out of automatic emails.' });

    const path = `/opt-outs/${listed[1]?.id}`;
    expect((await staff().delete(path)).status).to.equal(204);
    expect((await staff().delete(path)).status).to.equal(404);
    expect(await api().database('audit_log').where({ action: 'opt_out_removed' })).to.have.length(1);
    expect((await staff().post(`/follow-ups/${email.id}/retry`, undefined)).json()).to.include({ state: 'pending' });
  });

  it('need a session', async () => {
    expect((await api().send({ method: 'GET', path: '/api/admin/opt-outs' })).status).to.equal(401);
    const path = '/api/admin/opt-outs/0198c2f4-0000-7000-8000-000000000001';
    expect((await api().send({ method: 'DELETE', path })).status).to.equal(401);
  });
});
