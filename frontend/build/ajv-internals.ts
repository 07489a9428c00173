/*
 * Everything that the build uses of ajv without ajv documenting it. `test/ajv-internals.test.ts` fails when ajv changes
 * any of it.
 */

/**
 * Replaces the helper that counts the characters of a text in a standalone validator.
 * @param code - from ajv's `standaloneCode`
 * @param lengthImport - the module that exports `codePointLength`
 */
export function importLengthHelper(code: string, lengthImport: string): string {
  return code.replace(
    /const (\w+) = require\("ajv\/dist\/runtime\/ucs2length"\)\.default;/g,
    (_match, name: string) => `import { codePointLength as ${name} } from ${JSON.stringify(lengthImport)};`,
  );
}
