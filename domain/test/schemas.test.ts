import { expect } from 'chai';
import { allForms } from '../src/forms/all-forms.ts';
import type { FieldSchema, FormSchema } from '../src/forms/form-schema.ts';
import { errorsOf } from './check.ts';
import { validExample } from './examples.ts';

const forms: readonly FormSchema[] = allForms;

/** The rules of a text, in a list those of its entries. */
interface TextRules {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly items?: TextRules;
}

const rulesOf = (field: FieldSchema): TextRules => field as TextRules;

describe('the schemas of the forms', () => {
  it('have ids of their own', () => {
    const ids = forms.map((form) => form.$id);
    expect(new Set(ids).size).to.equal(ids.length);
  });

  for (const form of forms) {
    describe(form.$id, () => {
      it('has an id and a description, and so has every field', () => {
        expect(form.$id).to.match(/^[a-z]+(-[a-z]+)*$/);
        expect(form.description).to.not.equal('');
        for (const [field, rules] of Object.entries(form.properties)) expect(rules.description, field).to.not.equal('');
      });

      it('requires only fields that it has', () => {
        expect(Object.keys(form.properties)).to.include.members([...form.required]);
      });

      it('bounds every text by a largest length or a closed set', () => {
        for (const [field, rules] of Object.entries(form.properties)) {
          if (rules.type === 'boolean') continue;
          const { items, ...own } = rulesOf(rules);
          const text = items ?? own;
          expect(text.type, field).to.equal('string');
          expect(text.enum?.length ?? text.maxLength, field)
            .to.be.a('number')
            .above(0);
          if (items !== undefined) expect(own.maxItems, field).to.be.a('number').above(0);
        }
      });

      it('says of every text but secrets which characters it may hold', () => {
        for (const [field, rules] of Object.entries(form.properties)) {
          if (rules.type === 'boolean' || rules.writeOnly === true) continue;
          const text = rulesOf(rules).items ?? rulesOf(rules);
          expect(text.enum ?? text.pattern, field).to.not.equal(undefined);
        }
      });

      it('has a message for every rule', () => {
        for (const [field, rules] of Object.entries(form.properties)) {
          const { items, maxItems, ...own } = rulesOf(rules);
          const text = items ?? own;
          expect(rules.messages.default, field).to.be.a('string').not.equal('');
          // A too long email address is said to be none, as any other that is not valid.
          if (text.maxLength !== undefined && field !== 'email') {
            expect(rules.messages.maxLength, field).to.include(text.maxLength.toLocaleString('en-US'));
          }
          if (maxItems !== undefined) expect(rules.messages.maxItems, field).to.include(String(maxItems));
        }
      });

      it('has defaults that its own rules take', () => {
        for (const [field, rules] of Object.entries(form.properties)) {
          if (rules.default === undefined) continue;
          expect(errorsOf(form, { ...validExample(form), [field]: rules.default }), field).to.deep.equal([]);
        }
      });
    });
  }
});
