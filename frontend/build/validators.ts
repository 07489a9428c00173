import { fileURLToPath } from 'node:url';
import type { FormSchema } from '@dune-tide/domain/forms/form-schema';
import { formats } from '@dune-tide/domain/forms/formats';
import { _, Ajv } from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';
import type { Plugin } from 'vite';
import { importLengthHelper } from './ajv-internals.ts';

const prefix = 'virtual:validator/';
const formatsModule = fileURLToPath(import.meta.resolve('@dune-tide/domain/forms/formats'));
const lengthModule = fileURLToPath(new URL('../src/form/code-point-length.ts', import.meta.url));

/**
 * A form's validator as the source of an ES module without imports from ajv. The options are those of the API, so
 * that the browser and the server refuse the same values.
 * @param schema - the form
 * @param lengthImport - where the module finds `codePointLength`
 * @throws Error if ajv's code needs another of its run-time helpers
 */
export function validatorModule(schema: FormSchema, lengthImport: string): string {
  const ajv = new Ajv({
    allErrors: true,
    strict: true,
    formats,
    code: { source: true, esm: true, formats: _`formats` },
  });
  ajv.addVocabulary(['messages']);
  const code = importLengthHelper(standaloneCode(ajv, ajv.compile(schema)), lengthImport);
  if (code.includes('require('))
    throw new Error(`The validator of "${schema.$id}" needs a helper of ajv that is not bundled`);
  return code.includes('formats.') ? `import { formats } from ${JSON.stringify(formatsModule)};${code}` : code;
}

/**
 * Vite plugin: `virtual:validator/<form id>` is the form's rules as code, made at build time, so that the page needs
 * neither ajv nor code made from text.
 * @param forms - the forms that pages may ask for
 */
export function validators(forms: readonly FormSchema[]): Plugin {
  const byId = new Map(forms.map((form) => [form.$id, form]));
  return {
    name: 'validators',
    resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${prefix}`)) return null;
      const form = byId.get(id.slice(prefix.length + 1));
      if (!form) return this.error(`There is no form for ${id.slice(1)}`);
      return validatorModule(form, lengthModule);
    },
  };
}
