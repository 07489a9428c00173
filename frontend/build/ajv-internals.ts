/* Undocumented parts of ajv that the build depends on. `test/ajv-internals.test.ts` fails if ajv changes them. */

/**
 * Replaces the helper of a standalone validator that counts characters.
 * @param code - the output of ajv's `standaloneCode`
 * @param lengthImport - the module that exports `codePointLength`
 */
export function importLengthHelper(code: string, lengthImport: string): string {
  return code.replace(
    /const (\w+) = require\("ajv\/dist\/runtime\/ucs2length"\)\.default;/g,
    (_match, name: string) => `import { codePointLength as ${name} } from ${JSON.stringify(lengthImport)};`,
  );
}
