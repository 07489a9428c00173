import { expect } from 'chai';
import { hashPassword, PasswordQueueFullError, verifyPassword } from '../src/accounts/password.ts';

describe('a password', () => {
  it('is hashed by argon2id at the specified cost', async () => {
    expect(await hashPassword('correct horse battery')).to.match(
      /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[^$]{22,}\$[^$]{43,}$/,
    );
  });

  it('is rejected if two are being checked and forty are waiting', async () => {
    const check = () => verifyPassword(undefined, 'a password');
    const started = Array.from({ length: 20 }, check);
    // Runs microtasks only: the limiter starts the first checks, but none can finish before the next event loop turn.
    for (let step = 0; step < 20; step++) await Promise.resolve();
    started.push(...Array.from({ length: 22 }, check));
    const refusal: unknown = await check().catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(PasswordQueueFullError);
    expect(await Promise.all(started)).to.deep.equal(Array(42).fill(false));
    expect(await check()).to.equal(false);
  });

  it('is hashed with a new salt each time', async () => {
    expect(await hashPassword('same')).to.not.equal(await hashPassword('same'));
  });
});
