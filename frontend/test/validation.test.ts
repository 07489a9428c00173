import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { allForms } from '@dune-tide/domain/forms/all-forms';
import { contactForm } from '@dune-tide/domain/forms/contact';
import type { FormSchema } from '@dune-tide/domain/forms/form-schema';
import { bodyOf, ruleCases } from '@dune-tide/domain/test/rules';
import { expect } from 'chai';
import { validatorModule } from '../build/validators.ts';
import { codePointLength } from '../src/form/code-point-length.ts';
import { formValidator, messagesByField, type Validate } from '../src/form/validation.ts';

const lengthModule = pathToFileURL(fileURLToPath(new URL('../src/form/code-point-length.ts', import.meta.url))).href;

describe('the generated validators', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'validators-'));
  });

  after(() => rm(folder, { recursive: true }));

  async function build(schema: FormSchema): Promise<Validate> {
    const file = join(folder, `${schema.$id}.mjs`);
    await writeFile(file, validatorModule(schema, lengthModule));
    const module: { default: Validate } = await import(pathToFileURL(file).href);
    return module.default;
  }

  for (const form of allForms) {
    it(`contain no compiler for "${form.$id}"`, async () => {
      expect(validatorModule(form, lengthModule)).not.to.match(/require\(|new Function|from "ajv/);
      expect(await build(form)).to.be.a('function');
    });

    // api/test/rules.test.ts checks the API with the same cases.
    it(`give the messages of the rules of "${form.$id}"`, async () => {
      const validate = formValidator(form, await build(form));
      const cases = ruleCases.filter((ruleCase) => ruleCase.form.$id === form.$id);
      expect(cases).not.to.deep.equal([]);
      for (const ruleCase of cases) {
        const { field, name, message } = ruleCase;
        const expected = message === null ? {} : { [field]: message };
        expect(validate(bodyOf(ruleCase)), `${field}: ${name}`).to.deep.equal(expected);
      }
    });
  }

  describe('in a form', () => {
    const whole = {
      firstName: 'Layla',
      lastName: 'Haddad',
      email: 'layla@example.com',
      service: 'ugc',
      message: 'We launch in March.',
    };
    let validate: (values: unknown) => Readonly<Record<string, string>>;

    before(async () => {
      validate = formValidator(contactForm, await build(contactForm));
    });

    it('return no message for a valid form', () => {
      expect(validate(whole)).to.deep.equal({});
    });

    it('return the message of each empty field', () => {
      expect(validate({})).to.deep.equal({
        firstName: 'First name is required',
        lastName: 'Last name is required',
        email: 'Invalid email address',
        service: 'Please select a service',
        message: 'Message must be at least 10 characters',
      });
    });

    it('ignore surrounding blanks and count the rest', () => {
      expect(validate({ ...whole, firstName: '   ', message: '  nine char   ' })).to.deep.equal({
        firstName: 'First name is required',
        message: 'Message must be at least 10 characters',
      });
    });

    it('count an emoji as one character', () => {
      expect(validate({ ...whole, message: '🌊'.repeat(9) })).to.have.property('message');
      expect(validate({ ...whole, message: '🌊'.repeat(10) })).to.deep.equal({});
    });

    it('do not keep the errors of the previous call', () => {
      validate({});
      expect(validate(whole)).to.deep.equal({});
    });
  });
});

describe('messagesByField', () => {
  it('keeps the first message of each field', () => {
    expect(
      messagesByField([
        { field: 'email', message: 'first' },
        { field: 'email', message: 'second' },
        { field: 'name', message: 'other' },
      ]),
    ).to.deep.equal({ email: 'first', name: 'other' });
  });
});

describe('codePointLength', () => {
  for (const [text, length] of [
    ['', 0],
    ['abc', 3],
    ['🌊🏜️', 3],
    ['\ud83c', 1],
    ['ü', 1],
  ] as const) {
    it(`of ${JSON.stringify(text)} is ${length}`, () => {
      expect(codePointLength(text)).to.equal(length);
    });
  }
});
