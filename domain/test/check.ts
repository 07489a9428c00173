import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';
import { _, Ajv } from 'ajv';
import type { ValidateFunction } from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { ownKeywords, type FormSchema } from '../src/forms/form-schema.ts';
import { formats } from '../src/forms/formats.ts';
import { fieldErrors, prepare } from '../src/forms/validation.ts';
import type { FieldError } from '../src/responses/problem.ts';

const ajv = new Ajv({ allErrors: true, strict: true, formats, code: { source: true, formats: _`formats` } });
ajv.addVocabulary(ownKeywords);

const compiled = new Map<FormSchema, ValidateFunction>();

/**
 * Compiles a form, once for all tests.
 * @throws if strict Ajv rejects the schema
 */
function validatorOf(form: FormSchema): ValidateFunction {
  const validate = compiled.get(form) ?? ajv.compile(form);
  compiled.set(form, validate);
  return validate;
}

/** Returns a form's validator as browsers run it: generated code, loaded without Ajv's compiler. */
export function standaloneValidatorOf(form: FormSchema): ValidateFunction {
  const code = standaloneCode.default(ajv, validatorOf(form));
  const module: { exports?: ValidateFunction } = {};
  compileFunction(code, ['module', 'exports', 'require', 'formats'])(
    module,
    {},
    createRequire(import.meta.url),
    formats,
  );
  if (module.exports === undefined) throw new Error(`The code of ${form.$id} exports no validator`);
  return module.exports;
}

/**
 * Returns the error messages for a submitted body; an empty list if it is valid.
 * @param validate - the validator of the form, by default that of Ajv
 */
export function errorsOf(form: FormSchema, body: unknown, validate = validatorOf(form)): FieldError[] {
  return validate(prepare(form, body)) ? [] : fieldErrors(form, validate.errors ?? []);
}
