import { contactForm } from '@dune-tide/domain/forms/contact';
import { expect } from 'chai';
import { findCodeFromString } from '../build/no-code-from-strings.ts';
import { validatorModule } from '../build/validators.ts';

describe('the check of the built scripts', () => {
  for (const code of [
    'let f=new Function("a",b)',
    'x=Function("return this")()',
    'eval(text)',
    ';(0,eval)(text)',
  ] as const) {
    it(`finds ${code}`, () => {
      expect(findCodeFromString(code)).to.be.a('string');
    });
  }

  for (const code of [
    'a instanceof Function',
    'retrieval(x)',
    'x.eval(y)',
    'function f(){}',
    'isFunction(x)',
  ] as const) {
    it(`accepts ${code}`, () => {
      expect(findCodeFromString(code)).to.equal(undefined);
    });
  }

  it('accepts a generated validator', () => {
    expect(findCodeFromString(validatorModule(contactForm, 'x'))).to.equal(undefined);
  });
});
