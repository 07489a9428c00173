import { signInLimit } from '@dune-tide/domain/limits';
import { expect } from 'chai';
import {
  addStaff,
  addTotp,
  codeAt,
  cookieOf,
  noticesTo,
  ownAddress,
  ownNetwork,
  send,
  signIn,
  sixAtATime,
  tally,
  type Answer,
} from '../../src/attacks/attack-suite.ts';
import type { Credentials } from '@dune-tide/testkit/staff-accounts';

const login = '/api/admin/login';
const newPassword = 'another horse, another staple';

describe('Someone who has known a password', () => {
  const enter = ({ username, password }: Credentials, cookie?: string): Promise<Answer> =>
    send('POST', login, { body: { username, password }, from: ownNetwork(), ...(cookie !== undefined && { cookie }) });
  const enterCode = (code: string, cookie: string): Promise<Answer> =>
    send('POST', `${login}/code`, { body: { code }, cookie, from: ownNetwork() });
  const deviceOf = (cookie: string): string =>
    cookie
      .split('; ')
      .filter((pair) => pair.startsWith('__Host-device-'))
      .join('; ');

  it('gets no guesses from forty devices after a new password and a second factor', async () => {
    const account = await addStaff({ role: 'owner' });
    const forty = await sixAtATime(Array.from({ length: 40 }), () => enter(account));
    expect(tally(forty)).to.deep.equal({ 200: 40 });
    const devices = forty.map((answer) => deviceOf(cookieOf(answer)));
    const owner = await signIn(account);
    const changed = await owner.call('POST', '/account/password', {
      currentPassword: account.password,
      password: newPassword,
    });
    expect(changed.status).to.equal(204);
    const { secret } = await addTotp(owner);
    const { failuresPerAccount } = signInLimit;
    const known = { ...account, password: newPassword };

    const waiting = await sixAtATime([1, 2, 3, 4, 5], () => enter(known));
    const codes = await sixAtATime(Array.from({ length: failuresPerAccount + 5 }), (_, index) =>
      enterCode('000000', cookieOf(waiting[index % waiting.length] ?? expect.fail())),
    );
    expect(tally(codes)).to.deep.equal({ 422: failuresPerAccount, 429: 5 });
    const guesses = await sixAtATime(devices, (device) => enter({ ...account, password: 'a guess' }, device));
    expect(tally(guesses)).to.deep.equal({ 401: failuresPerAccount, 429: devices.length - failuresPerAccount });

    const own = await enter(known, owner.cookie);
    expect(own.status, 'the device that made the changes').to.equal(202);
    const device = deviceOf(owner.cookie);
    expect((await enterCode(await codeAt(secret, 1), `${cookieOf(own)}; ${device}`)).status).to.equal(200);
  });

  it('enters three wrong codes, of which the account is told', async () => {
    const email = ownAddress();
    const member = await signIn({ role: 'member', email });
    await addTotp(member);
    for (let attempt = 0; attempt < 3; attempt++) {
      const waiting = await enter(member.account);
      expect((await enterCode('000000', cookieOf(waiting))).status).to.equal(422);
    }
    expect(await noticesTo(email)).to.include(`password_known of ${member.account.username}`);
  });

  it('uses up one of four recovery codes in a race', async () => {
    const member = await signIn({ role: 'member' });
    const { codes } = await addTotp(member);
    for (const code of codes) expect(code.replaceAll('-', '')).to.have.length(26);
    const cookie = cookieOf(await enter(member.account));
    const answers = await Promise.all(codes.slice(0, 4).map((code) => enterCode(code, cookie)));
    expect(tally(answers)).to.deep.equal({ 200: 1, 401: 3 });
    expect(JSON.parse((await member.call('GET', '/account')).text)).to.include({ recoveryCodesLeft: 9 });
  });
});

describe('Someone who guesses', () => {
  it('finds no account with a password of a list, its own username or a walk over the keys', async () => {
    const member = await signIn({ role: 'member' });
    const { username, password: currentPassword } = member.account;
    for (const password of ['adminadmin', 'admin1234', 'Summer2026!', 'qwertyuiop123', `${username}123`]) {
      const answer = await member.call('POST', '/account/password', { currentPassword, password });
      expect([answer.status, answer.text.includes('"field":"password"')], password).to.deep.equal([422, true]);
    }
  });
});
