import { fileURLToPath } from 'node:url';
import { ownKeywords, type FormSchema } from '@dune-tide/domain/forms/form-schema';
import { formats } from '@dune-tide/domain/forms/formats';
import { _, Ajv } from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';
import type { Plugin } from 'vite';
import { importLengthHelper } from './ajv-internals.ts';

const prefix = 'virtual:validator/';
const formatsModule = fileURLToPath(import.meta.resolve('@dune-tide/domain/forms/formats'));
const lengthModule = fileURLToPath(new URL('../src/form/code-point-length.ts', import.meta.url));

/**
 * Generates a form's validator as an ES module that does not import ajv. The options equal those of the API, so that
 * the browser and the server reject the same values.
 * @param schema - the form
 * @param lengthImport - the module that exports `codePointLength`
 * @throws Error if ajv's code needs another of its run-time helpers
 */
export function validatorModule(schema: FormSchema, lengthImport: string): string {
  const ajv = new Ajv({
    allErrors: true,
    strict: true,
    formats,
    code: { source: true, esm: true, formats: _`formats` },
  });
  ajv.addVocabulary(ownKeywords);
  const code = importLengthHelper(standaloneCode(ajv, ajv.compile(schema)), lengthImport);
  if (code.includes('require('))
    throw new Error(`The validator of "${schema.$id}" needs a helper of ajv that is not bundled`);
  return code.includes('formats.') ? `import { formats } from ${JSON.stringify(formatsModule)};${code}` : code;
}

/**
 * Vite plugin: generates `virtual:validator/<form id>` with the rules of a form as code, so that a page needs neither
 * ajv nor code created from text.
 * @param forms - the forms that pages may import
 */
export function validators(forms: readonly FormSchema[]): Plugin {
  const byId = new Map(forms.map((form) => [form.$id, form]));
  return {
    name: 'validators',
    resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${prefix}`)) return null;
      const form = byId.get(id.slice(prefix.length + 1));
      if (!form) return this.error(`No form has the id in ${id.slice(1)}`);
      return validatorModule(form, lengthModule);
    },
  };
}
