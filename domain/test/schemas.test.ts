import { expect } from 'chai';
import { idempotencyKeyPattern } from '../src/limits.ts';
import { uuidForm } from '../src/uuid.ts';
import { allForms } from '../src/forms/all-forms.ts';
import type { FieldSchema, FormSchema } from '../src/forms/form-schema.ts';
import type { JsonSchema } from '../src/responses/schema.ts';
import { errorsOf } from './check.ts';
import { validExample } from './examples.ts';
import { allResponses } from './responses.ts';

const forms: readonly FormSchema[] = allForms;

/** The rules of a text. For a list, `items` has the rules of its entries. */
interface TextRules {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly items?: TextRules;
}

const rulesOf = (field: FieldSchema): TextRules => field as TextRules;

describe('the schemas of the forms', () => {
  it('have unique ids', () => {
    const ids = forms.map((form) => form.$id);
    expect(new Set(ids).size).to.equal(ids.length);
  });

  for (const form of forms) {
    describe(form.$id, () => {
      it('has an id, a description, and a description of every field', () => {
        expect(form.$id).to.match(/^[a-z]+(-[a-z]+)*$/);
        expect(form.description).to.not.equal('');
        for (const [field, rules] of Object.entries(form.properties)) expect(rules.description, field).to.not.equal('');
      });

      it('requires only fields that it has', () => {
        expect(Object.keys(form.properties)).to.include.members([...form.required]);
      });

      it('limits every text by a maximum length, a closed set or the form of an id', () => {
        for (const [field, rules] of Object.entries(form.properties)) {
          if (rules.type === 'boolean' || rules.type === 'integer') continue;
          const { items, ...own } = rulesOf(rules);
          const text = items ?? own;
          expect([text.type].flat(), field).to.include('string');
          // These limit the length themselves.
          if (text.pattern === `^${uuidForm}$` || text.pattern === idempotencyKeyPattern) continue;
          expect(text.enum?.length ?? text.maxLength, field)
            .to.be.a('number')
            .above(0);
          if (items !== undefined) expect(own.maxItems, field).to.be.a('number').above(0);
        }
      });

      it('restricts the characters of every text except secrets', () => {
        for (const [field, rules] of Object.entries(form.properties)) {
          if (rules.type === 'boolean' || rules.type === 'integer' || rules.writeOnly === true) continue;
          const text = rulesOf(rules).items ?? rulesOf(rules);
          expect(text.enum ?? text.pattern ?? text.format, field).to.not.equal(undefined);
        }
      });

      it('has a message for every rule', () => {
        for (const [field, rules] of Object.entries(form.properties)) {
          const { items, maxItems, ...own } = rulesOf(rules);
          const text = items ?? own;
          expect(rules.messages.default, field).to.be.a('string').not.equal('');
          // An email address that is too long gets the message for an invalid one.
          if (text.maxLength !== undefined && field !== 'email') {
            expect(rules.messages.maxLength, field).to.include(text.maxLength.toLocaleString('en-US'));
          }
          if (maxItems !== undefined) {
            expect(rules.messages.maxItems ?? rules.messages.default, field).to.include(String(maxItems));
          }
        }
      });

      it('has valid defaults', () => {
        for (const [field, rules] of Object.entries(form.properties)) {
          if (rules.default === undefined) continue;
          expect(errorsOf(form, { ...validExample(form), [field]: rules.default }), field).to.deep.equal([]);
        }
      });
    });
  }
});

/** Returns all object schemas in a schema, including itself. */
function objectsOf(schema: JsonSchema): JsonSchema[] {
  const { type, properties = {}, items, additionalProperties, anyOf = [], oneOf = [] } = schema;
  const parts = [...Object.values(properties), items, additionalProperties, ...anyOf, ...oneOf];
  const inner = parts.filter((part) => typeof part === 'object' && !Array.isArray(part)) as JsonSchema[];
  return [...(type === 'object' ? [schema] : []), ...inner.flatMap(objectsOf)];
}

describe('the schemas of the responses', () => {
  it('have unique titles that differ from the ids of the forms', () => {
    const names = [...forms.map((form) => form.$id), ...allResponses.map(({ title }) => title)];
    expect(new Set(names).size).to.equal(names.length);
  });

  for (const response of allResponses) {
    describe(response.title, () => {
      it('has a title and a description', () => {
        expect(response.title).to.match(/^[a-z]+(-[a-z]+)*$/);
        expect(response.description).to.not.equal('');
      });

      it('allows only members that it describes', () => {
        const objects = objectsOf(response);
        expect(objects).to.not.equal([]);
        for (const { properties, required, additionalProperties } of objects) {
          if (properties === undefined) expect(additionalProperties).to.be.an('object');
          else expect(additionalProperties).to.equal(false);
          expect(Object.keys(properties ?? {})).to.include.members([...(required ?? [])]);
        }
      });
    });
  }
});
