import { expect } from 'chai';
import { forgetSession, mayHaveSession, rememberSession } from '../src/features/auth/known-session.ts';

function sharedStorage(isFull = false): Storage {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem(key: string, value: string) {
      if (isFull) throw new DOMException('no room', 'QuotaExceededError');
      items.set(key, value);
    },
    removeItem: (key: string) => void items.delete(key),
  } as unknown as Storage;
}

describe('The mark of a session', () => {
  it('is set by a sign-in and removed by a logout', () => {
    const storage = sharedStorage();
    expect(mayHaveSession(storage)).to.equal(false);
    rememberSession(storage);
    expect(mayHaveSession(storage)).to.equal(true);
    forgetSession(storage);
    expect(mayHaveSession(storage)).to.equal(false);
  });

  it('is missing if the storage is full or blocked', () => {
    const full = sharedStorage(true);
    rememberSession(full);
    expect(mayHaveSession(full)).to.equal(false);
    // Outside a browser the storage cannot be reached.
    expect(mayHaveSession()).to.equal(false);
  });
});
