import { idempotencyKeyPattern } from '@dune-tide/domain/limits';
import { expect } from 'chai';
import { randomId } from '../src/form/random-id.ts';
import { submissionKey } from '../src/form/idempotency-key.ts';

describe("a form's idempotency key", () => {
  const content = '{"name":"Zoë","message":"We launch in March 🌊"}';

  it('is the same for each attempt with the same content', () => {
    const key = submissionKey();
    expect(key.forContent(content)).to.equal(key.forContent(content));
  });

  it('differs for other content and returns for the first content', () => {
    const key = submissionKey();
    const first = key.forContent(content);
    const keys = new Set([first, key.forContent(content.replace('March', 'April')), key.forContent(`${content} `)]);
    expect(keys).to.have.property('size', 3);
    expect(key.forContent(content)).to.equal(first);
  });

  it('differs after the form was stored or rejected', () => {
    const key = submissionKey();
    const before = key.forContent(content);
    key.settled();
    expect(key.forContent(content)).not.to.equal(before);
  });

  it('is the same after a reload, because the draft keeps its prefix', () => {
    const before = submissionKey();
    const after = submissionKey();
    expect(after.forContent(content)).not.to.equal(before.forContent(content));
    after.resume(before.current());
    expect(after.forContent(content)).to.equal(before.forContent(content));
    after.settled();
    expect(after.forContent(content)).not.to.equal(before.forContent(content));
  });

  it('has a format that the API accepts', () => {
    for (const text of ['', content, 'x'.repeat(65_536)])
      expect(submissionKey().forContent(text)).to.match(new RegExp(idempotencyKeyPattern));
  });
});

describe('randomId', () => {
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

  it('is a version 4 UUID', () => {
    expect(randomId()).to.match(uuid);
  });

  it('is also one on pages without a secure context', () => {
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
