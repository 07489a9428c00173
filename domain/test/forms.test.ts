import { expect } from 'chai';
import { allForms } from '../src/forms/all-forms.ts';
import { careerApplicationForm } from '../src/forms/career-application.ts';
import { contactForm } from '../src/forms/contact.ts';
import type { FormSchema } from '../src/forms/form-schema.ts';
import { errorsOf, standaloneValidatorOf } from './check.ts';
import { validExample } from './examples.ts';
import { bodyOf, ruleCases } from './rules.ts';

/** Returns the time of the fastest of a few runs, so that a busy machine does not look like a slow pattern. */
function milliseconds(run: () => void): number {
  const runs = Array.from({ length: 5 }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return Math.min(...runs);
}

describe('the rules of the forms', () => {
  for (const form of allForms as readonly FormSchema[]) {
    describe(form.$id, () => {
      it('accepts its valid example', () => {
        expect(errorsOf(form, validExample(form))).to.deep.equal([]);
      });

      for (const field of Object.keys(form.properties)) {
        const cases = ruleCases.filter((ruleCase) => ruleCase.form === form && ruleCase.field === field);

        it(`${field}: ${cases.length} cases`, () => {
          expect(cases).to.not.have.length(0);
          for (const ruleCase of cases) {
            const expected = ruleCase.message === null ? [] : [{ field, message: ruleCase.message }];
            expect(errorsOf(form, bodyOf(ruleCase)), ruleCase.name).to.deep.equal(expected);
          }
        });
      }

      it('returns the same messages from standalone code', () => {
        const validate = standaloneValidatorOf(form);
        for (const ruleCase of ruleCases.filter((candidate) => candidate.form === form)) {
          const expected = ruleCase.message === null ? [] : [{ field: ruleCase.field, message: ruleCase.message }];
          const errors = errorsOf(form, bodyOf(ruleCase), validate);
          expect(errors, `${ruleCase.field}: ${ruleCase.name}`).to.deep.equal(expected);
        }
      });

      it('reports every required field of an empty body once, in the order of the form', () => {
        const fields = errorsOf(form, {}).map((error) => error.field);
        const required = Object.entries(form.properties)
          .filter(([field, rules]) => form.required.includes(field) && rules.default === undefined)
          .map(([field]) => field);
        expect(fields).to.deep.equal(required);
      });

      for (const body of [null, 'text', 7, true, [], [{}]]) {
        it(`rejects ${JSON.stringify(body)} with one message for the whole form`, () => {
          expect(errorsOf(form, body)).to.deep.equal([{ field: '', message: 'Please fill in the form' }]);
        });
      }
    });
  }

  it('have a unique name for every case of a field', () => {
    const names = ruleCases.map(({ form, field, name }) => `${form.$id} ${field} ${name}`);
    expect(new Set(names).size).to.equal(names.length);
  });
});

describe('hostile values of 50 KB', () => {
  const size = 50_000;
  const emails = {
    'only letters': 'a'.repeat(size),
    'dots before the @': `${'a.'.repeat(size / 2)}@example.com`,
    'a long domain': `a@${'a'.repeat(size)}`,
    'many labels': `a@${'a.'.repeat(size / 2)}!`,
    'many long labels': `a@${`${'a'.repeat(62)}.`.repeat(size / 63)}!`,
    'many hyphens': `a@${'a-'.repeat(size / 2)}`,
    'many @': '@'.repeat(size),
  };
  const links = {
    'a long host': `https://${'a'.repeat(size)}"`,
    'a long number': `https://${'1'.repeat(size)}"`,
    'many numbers': `https://${'1.'.repeat(size / 2)}"`,
    'many dots': `https://${'a.'.repeat(size / 2)}"`,
    'a long path': `https://example.com/${'a/'.repeat(size / 2)}"`,
    'many ports': `https://example.com${':80'.repeat(size / 3)}`,
    'a long IPv6 host': `http://[${':'.repeat(size)}]/`,
    'many question marks': `https://example.com${'?#/'.repeat(size / 3)}"`,
    'many schemes': 'https://'.repeat(size / 8),
  };

  for (const [name, value] of Object.entries(emails)) {
    it(`rejects an email address with ${name} within 5 ms`, () => {
      const body = { ...validExample(contactForm), email: value };
      expect(errorsOf(contactForm, body)).to.deep.equal([{ field: 'email', message: 'Invalid email address' }]);
      expect(milliseconds(() => errorsOf(contactForm, body))).to.be.below(5);
    });
  }

  for (const [name, value] of Object.entries(links)) {
    it(`rejects a link with ${name} within 5 ms`, () => {
      const body = { ...validExample(careerApplicationForm), portfolio: value };
      expect(errorsOf(careerApplicationForm, body).map((error) => error.field)).to.deep.equal(['portfolio']);
      expect(milliseconds(() => errorsOf(careerApplicationForm, body))).to.be.below(5);
    });
  }
});
