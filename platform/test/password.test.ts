import { expect } from 'chai';
import { hashPassword, PasswordQueueFullError, verifyPassword } from '../src/accounts/password.ts';

describe('a password', () => {
  it('is hashed by argon2id at the cost that was decided', async () => {
    expect(await hashPassword('correct horse battery')).to.match(
      /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[^$]{22,}\$[^$]{43,}$/,
    );
  });

  it('is checked with one other at a time and forty that wait; one more is refused', async () => {
    const check = () => verifyPassword(undefined, 'a password');
    const begun = Array.from({ length: 20 }, check);
    // None can be over as long as the event loop does not turn, but those whose turn it is begin.
    for (let step = 0; step < 20; step++) await Promise.resolve();
    begun.push(...Array.from({ length: 22 }, check));
    const refusal: unknown = await check().catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(PasswordQueueFullError);
    expect(await Promise.all(begun)).to.deep.equal(Array(42).fill(false));
    expect(await check()).to.equal(false);
  });

  it('is hashed with a salt of its own each time', async () => {
    expect(await hashPassword('same')).to.not.equal(await hashPassword('same'));
  });
});
