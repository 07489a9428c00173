import { expect } from 'chai';
import { addStaff, codeAt, cookieOf, signIn, testPassword, type TestAccount } from './staff-support.ts';
import { jsonRequest, withTestApi, type TestResponse } from './support.ts';

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

describe('the owner of an account', () => {
  const api = withTestApi({ trustedProxies: '127.0.0.1' });
  let addresses = 0;
  const noticesOf = ({ id }: TestAccount) =>
    api()
      .database('account_notices')
      .join('follow_ups', 'follow_ups.id', 'account_notices.id')
      .where({ staff_id: id })
      .orderBy('follow_ups.created_at')
      .select<Record<string, unknown>[]>('event', 'device', 'recipient');
  const eventsOf = async (account: TestAccount) => (await noticesOf(account)).map(({ event }) => event);
  const login = (
    { username }: TestAccount,
    password: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<TestResponse> => {
    // Each from another network, so that no limit on addresses applies.
    const from = { 'X-Forwarded-For': `100.64.${addresses++}.1` };
    return api().post('/api/admin/login', { username, password }, { ...from, ...headers });
  };

  it('gets an email about each new device but the first, with its name', async () => {
    const account = await addStaff(api(), { email: 'devices@studio.example' });
    const first = await login(account, testPassword, { 'User-Agent': firefox });
    expect((await login(account, testPassword, { Cookie: cookieOf(first) })).status).to.equal(200);
    expect(await noticesOf(account)).to.deep.equal([]);
    expect((await login(account, 'not the password', { 'User-Agent': firefox })).status).to.equal(401);
    expect(await noticesOf(account)).to.deep.equal([]);
    expect((await login(account, testPassword, { 'User-Agent': firefox })).status).to.equal(200);
    expect(await noticesOf(account)).to.deep.equal([
      { event: 'new_device', device: 'Firefox on Windows', recipient: 'devices@studio.example' },
    ]);
  });

  it('gets one a day after three wrong codes that followed the right password', async () => {
    const session = await signIn(api(), await addStaff(api(), { email: 'codes@studio.example' }));
    const { account } = session;
    const { secret } = (await session.post('/account/totp', undefined)).json() as { secret: string };
    await session.post('/account/totp/confirm', { code: await codeAt(secret, 0) });
    const guess = async (): Promise<void> => {
      const request = jsonRequest('POST', '/api/admin/login/code', { code: '000000' });
      const cookie = cookieOf(await login(account, testPassword));
      const from = { 'X-Forwarded-For': `100.65.${addresses++}.1` };
      const { status } = await api().send({ ...request, headers: { ...request.headers, ...from, Cookie: cookie } });
      expect(status).to.equal(422);
    };
    await guess();
    await guess();
    expect(await eventsOf(account)).to.deep.equal(['second_factor_added']);
    await guess();
    await guess();
    expect(await eventsOf(account)).to.deep.equal(['second_factor_added', 'password_known']);
    await api()
      .database('follow_ups')
      .where({ recipient: 'codes@studio.example' })
      .update({ created_at: api().database.raw(`now() - interval '25 hours'`) });
    await guess();
    expect((await eventsOf(account)).filter((event) => event === 'password_known')).to.have.length(2);
  });

  it('gets one a day from 100 refused sign-ins on, however many follow', async () => {
    const account = await addStaff(api(), { email: 'guesses@studio.example' });
    const refused = (count: number) =>
      api()
        .database('audit_log')
        .insert(
          Array.from({ length: count }, () => ({
            actor: 'unknown',
            action: 'sign_in_refused',
            subject_id: account.id,
          })),
        );
    await refused(98);
    await login(account, 'a guess');
    expect(await eventsOf(account)).to.deep.equal([]);
    await Promise.all([login(account, 'a guess'), login(account, 'a guess'), login(account, 'a guess')]);
    expect(await eventsOf(account)).to.deep.equal(['password_guessed']);
  });
});
