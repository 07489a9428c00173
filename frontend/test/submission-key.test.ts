import { idempotencyKeyPattern } from '@dune-tide/domain/limits';
import { expect } from 'chai';
import { randomId } from '../src/lib/random-id.ts';
import { submissionKey } from '../src/lib/submission-key.ts';

describe("a form's idempotency key", () => {
  it('stays the same for each try without an answer', () => {
    const key = submissionKey();
    expect(key.current()).to.equal(key.current());
  });

  it('is another one once the form was stored', () => {
    const key = submissionKey();
    const before = key.current();
    key.accepted();
    expect(key.current()).not.to.equal(before);
  });

  it('is another one after a 422, since a mended form has another body', () => {
    const key = submissionKey();
    const before = key.current();
    key.refused();
    expect(key.current()).not.to.equal(before);
  });

  it('goes on with the key of a draft, whose try may have been stored', () => {
    const key = submissionKey();
    key.resume('the-key-of-the-draft');
    expect(key.current()).to.equal('the-key-of-the-draft');
    key.accepted();
    expect(key.current()).not.to.equal('the-key-of-the-draft');
  });

  it('differs from form to form and is one that the API takes', () => {
    const keys = [submissionKey().current(), submissionKey().current()];
    expect(new Set(keys)).to.have.property('size', 2);
    for (const key of keys) expect(key).to.match(new RegExp(idempotencyKeyPattern));
  });
});

describe('randomId', () => {
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

  it('is a version 4 UUID', () => {
    expect(randomId()).to.match(uuid);
  });

  it('is one where the page is no secure context, too', () => {
    const { crypto } = globalThis;
    const insecure = { getRandomValues: crypto.getRandomValues.bind(crypto) };
    Object.defineProperty(globalThis, 'crypto', { value: insecure, configurable: true });
    try {
      expect(randomId()).to.match(uuid);
      expect(randomId()).not.to.equal(randomId());
    } finally {
      Object.defineProperty(globalThis, 'crypto', { value: crypto, configurable: true });
    }
  });
});
