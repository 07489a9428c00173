import { hash, verify } from '@node-rs/argon2';
import { lowestCost } from '@dune-tide/testkit/staff-accounts';
import { expect } from 'chai';
import { hashPassword, openPasswords, PasswordQueueFullError } from '../src/accounts/password.ts';

const atSpecifiedCost = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[^$]{22,}\$[^$]{43,}$/;

describe('a password', () => {
  it('is hashed by argon2id at the specified cost', async () => {
    const hashes = [await hashPassword('correct horse battery'), await openPasswords().hash('correct horse battery')];
    for (const each of hashes) expect(each).to.match(atSpecifiedCost);
  });

  it('is rejected while too many wait to be checked, but known devices have reserved places', async () => {
    const passwords = openPasswords({ cost: lowestCost });
    const check = (network?: string) => passwords.check(undefined, 'a password', network);
    const started = Array.from({ length: 42 }, () => check('192.0.2.0/24'));
    const refusal: unknown = await check('192.0.2.0/24').catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(PasswordQueueFullError);
    started.push(...Array.from({ length: 20 }, () => check()));
    expect(await check().catch((error: unknown) => error)).to.be.instanceOf(PasswordQueueFullError);
    expect(await Promise.all(started)).to.deep.equal(started.map(() => ({ isRight: false })));
    expect(await check('192.0.2.0/24')).to.deep.equal({ isRight: false });
  });

  it('of an unknown account is compared with a hash of the specified cost, so that it takes as long', async () => {
    const compared: string[] = [];
    const passwords = openPasswords({
      matches: async (passwordHash, password) => {
        compared.push(passwordHash);
        return verify(passwordHash, password);
      },
    });
    expect(await passwords.check(undefined, 'a password', undefined)).to.deep.equal({ isRight: false });
    expect(compared).to.have.length(1);
    expect(compared[0]).to.match(atSpecifiedCost);
  });

  it('is hashed with a new salt each time', async () => {
    expect(await hashPassword('same', lowestCost)).to.not.equal(await hashPassword('same', lowestCost));
  });

  const passwords = openPasswords({ cost: lowestCost });
  const spellings = [
    'caf\u00e9 na\u00efve',
    'cafe\u0301 na\u00efve',
    'caf\u00e9\u00a0na\u0069\u0308ve',
    'cafe\u0301\u3000na\u00efve',
  ];

  it('matches in every Unicode form and with every kind of space', async () => {
    for (const spelling of spellings) {
      const passwordHash = await hashPassword(spelling, lowestCost);
      for (const typed of spellings) {
        expect(await passwords.check(passwordHash, typed, undefined)).to.deep.equal({ isRight: true });
      }
      for (const other of ['cafe naive', 'caf\u00e9na\u00efve', 'Caf\u00e9 na\u00efve', 'caf\u00e9  na\u00efve']) {
        expect(await passwords.check(passwordHash, other, undefined), other).to.deep.equal({ isRight: false });
      }
    }
  });

  it('matches the hash of an earlier release if typed in the same form, and the hash is replaced', async () => {
    const [normal = '', typed = ''] = spellings;
    const earlier = await hash(typed, lowestCost);
    expect(await passwords.check(earlier, normal, undefined)).to.deep.equal({ isRight: false });
    const { isRight, replacement } = await passwords.check(earlier, typed, undefined);
    expect(isRight).to.equal(true);
    for (const spelling of spellings) {
      expect(await passwords.check(replacement, spelling, undefined)).to.deep.equal({ isRight: true });
    }
  });
});
