import type { FormSchema } from '@dune-tide/domain/forms/form-schema';
import { prepare } from '@dune-tide/domain/forms/validation';
import { bodyOf, ruleCases } from '@dune-tide/domain/test/rules';
import { validExample } from '@dune-tide/domain/test/examples';
import { FormError, UnstorableTextError } from '@dune-tide/platform/form-reader';
import { expect } from 'chai';
import type { BodyRules } from '../src/http/requests/json-body.ts';
import { routes } from './declared-responses.ts';
import { bodiesOfNoForm, wrongValues } from './hostile-values.ts';

/** Returns the errors of a body, an empty list if it is valid. */
function errorsOf({ read }: BodyRules<unknown>, body: unknown): unknown {
  try {
    read(body);
    return [];
  } catch (error) {
    if (error instanceof FormError) return error.errors;
    if (error instanceof UnstorableTextError) return 'unstorable';
    throw error;
  }
}

/** The fields that select the form of an inquiry. */
const selecting = new Set(['service', 'serviceType']);

/** The call validates a change together with the stored fields (recipes.test.ts). */
const merging = '/api/admin/recipes/:id';

const calls = routes.flatMap(({ method, path, body }) =>
  body && path !== merging ? [{ name: `${method} ${path}`, body, isChange: method === 'PATCH' }] : [],
);

/** Each form with required fields, and the rules of its call. */
const forms: readonly (readonly [form: FormSchema, body: BodyRules<unknown>])[] = calls.flatMap(({ body }) =>
  body.schemas.filter(({ required }) => required.length > 0).map((form) => [form, body] as const),
);

describe('the body of a call', () => {
  for (const { name, body, isChange } of calls) {
    it(`follows the rules of its forms: ${name}`, () => {
      for (const form of body.schemas) {
        const cases = ruleCases.filter((ruleCase) => ruleCase.form === form && ruleCase.formOnly === undefined);
        expect(cases).to.have.length.above(0);
        for (const ruleCase of cases) {
          const { field, message, value } = ruleCase;
          const isBlank = value !== undefined && !Object.hasOwn(prepare(form, bodyOf(ruleCase)) as object, field);
          // A change refuses a blank field, which a new row may have.
          if (isChange && isBlank && message === null) continue;
          const expected = message === null ? [] : [{ field, message }];
          expect(errorsOf(body, bodyOf(ruleCase)), `${field}: ${ruleCase.name}`).to.deep.equal(expected);
        }
      }
    });
  }

  it('is refused if it is not a form', () => {
    for (const [form, body] of forms) {
      for (const [name, text] of bodiesOfNoForm) {
        let parsed: unknown;
        try {
          parsed = JSON.parse(text);
        } catch {
          continue;
        }
        expect(errorsOf(body, parsed), `${form.$id}: ${name}`).to.have.length.above(0);
      }
    }
  });

  it('is refused with the name of each field that has a wrong type', () => {
    for (const [form, body] of forms) {
      for (const [field, rules] of Object.entries(form.properties)) {
        if (!('type' in rules) || rules.type !== 'string' || selecting.has(field)) continue;
        for (const [name, value] of wrongValues) {
          expect(errorsOf(body, { ...validExample(form), [field]: value }), `${field}: ${name}`)
            .to.have.length(1)
            .and.have.nested.property('[0].field', field);
        }
      }
    }
  });

  it('is refused if a field has text that cannot be stored', () => {
    for (const [form, body] of forms) {
      for (const field of Object.keys(form.properties)) {
        for (const text of ['a\u0000', 'a\ud800', '\udfffa', '🌊\ud83c']) {
          expect(errorsOf(body, { ...validExample(form), [field]: text }), `${form.$id}: ${field}`).to.equal(
            'unstorable',
          );
        }
      }
    }
  });
});
