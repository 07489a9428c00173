import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { idTokens } from '../src/id-tokens.ts';

describe('tokens of ids', () => {
  const [former, current] = ['a former key of at least 32 characters', 'the current key of at least 32 chars'];
  const id = randomUUID();

  it('return the id that was signed, and have the same length for every id', () => {
    const tokens = idTokens([current], 'unsubscribe-token');
    expect(tokens.issue(id)).to.match(/^[\w-]{43}$/);
    expect(tokens.read(tokens.issue(id))).to.equal(id);
  });

  it('stay valid while their key is listed', () => {
    const token = idTokens([former], 'unsubscribe-token').issue(id);
    expect(idTokens([current, former], 'unsubscribe-token').read(token)).to.equal(id);
    expect(idTokens([current], 'unsubscribe-token').read(token)).to.equal(undefined);
  });

  it('are signed by the first key', () => {
    const token = idTokens([current, former], 'unsubscribe-token').issue(id);
    expect(idTokens([current], 'unsubscribe-token').read(token)).to.equal(id);
  });

  it('are refused if any character differs, is missing or is added', () => {
    const tokens = idTokens([current], 'unsubscribe-token');
    const token = tokens.issue(id);
    for (let place = 0; place < token.length; place++) {
      const other = token[place] === 'A' ? 'B' : 'A';
      expect(tokens.read(token.slice(0, place) + other + token.slice(place + 1)), `place ${place}`).to.equal(undefined);
    }
    for (const text of ['', token.slice(1), `${token}A`, `${token}=`, ` ${token}`]) {
      expect(tokens.read(text), text).to.equal(undefined);
    }
  });

  it('need a key', () => {
    expect(() => idTokens([], 'unsubscribe-token')).to.throw('at least one key');
  });
});
