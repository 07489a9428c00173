import type { DefinitionChange } from '@dune-tide/db/schema';

/** Returns whether words can be the name of a migration. */
export const isMigrationName = (words: string): boolean => /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(words);

/** Returns the complete name of a migration: the date, the next number, and words. It sorts after all others. */
export function nameMigration(words: string, names: readonly string[], now: Date): string {
  const today = now.toISOString().slice(0, 10).replaceAll('-', '');
  const [date = today, number = '0'] = names.at(-1)?.split('-') ?? [];
  const next = String(Number(number) + 1).padStart(2, '0');
  return `${today > date ? today : date}-${next}-${words}`;
}

const marker = '/*\n * Written by `make migration`';

/** Returns the text of a new migration. */
export function render(up: DefinitionChange, down: DefinitionChange): string {
  return `import type { Knex } from 'knex';
import { runStatements } from '../src/schema/definitions.ts';
import type { LateCheck } from '../src/schema/late-checks.ts';

/** Replace this line: what changes, and why. Create tables, columns and data before the definitions. */
export async function up(db: Knex): Promise<void> {
  await runStatements(db, definitions.up);
}

/** Replace this line: what is lost. Drop tables, columns and data after the definitions. */
export async function down(db: Knex): Promise<void> {
  await runStatements(db, definitions.down);
}

${renderDefinitions(up, down)}`;
}

/** Returns the text of a migration with other definitions. @throws if the part with the definitions is missing */
export function renew(text: string, up: DefinitionChange, down: DefinitionChange): string {
  const start = text.indexOf(marker);
  if (start === -1) throw new Error('The migration has no part that `make migration` wrote.');
  return text.slice(0, start) + renderDefinitions(up, down);
}

function renderDefinitions(up: DefinitionChange, down: DefinitionChange): string {
  const lateChecks = new Map([...up.lateChecks, ...down.lateChecks].map((check) => [check.name, check]));
  return `${marker} from db/sql, which replaces everything below when it runs again. The text is frozen.
 *
 * Statements of the previous release wait for the locks until the migration commits, and then use the new functions,
 * triggers and CHECKs, without a moment between the old and the new ones. So it keeps running if a CHECK only becomes
 * wider, and if functions that it calls keep their parameters and results.
 */
export const lateChecks: readonly LateCheck[] = [
${[...lateChecks.values()].map(({ table, name }) => `  { table: '${table}', name: '${name}' },\n`).join('')}];

const definitions: Readonly<Record<'up' | 'down', readonly string[]>> = {
  up: ${renderStatements(up)},
  down: ${renderStatements(down)},
};
`;
}

const renderStatements = ({ statements }: DefinitionChange): string =>
  statements.length === 0
    ? '[]'
    : `[\n${statements.map((statement) => `    \`${statement.replaceAll(/[\\`]|\$\{/g, '\\$&')}\`,\n`).join('')}  ]`;

/**
 * Adds a migration to the list of them.
 * @param source - the text of the module with the list
 * @throws if the text has no list
 */
export function register(source: string, name: string): string {
  const imports = [...source.matchAll(/^import \* as \w+ from '(.*\/migrations\/).*\n/gm)];
  const last = imports.at(-1);
  const end = source.indexOf('\n];', source.indexOf('export const migrations'));
  if (last === undefined || end === -1) throw new Error('The list of the migrations was not found.');
  const words = name.split('-').slice(2);
  const camel = words
    .map((word, index) => (index === 0 ? word : word.slice(0, 1).toUpperCase() + word.slice(1)))
    .join('');
  const alias = new RegExp(`\\b${camel}\\b`).test(source) ? `${camel}Migration` : camel;
  const afterImports = last.index + last[0].length;
  return [
    source.slice(0, afterImports),
    `import * as ${alias} from '${last[1]}${name}.ts';\n`,
    source.slice(afterImports, end),
    `\n  { name: '${name}', migration: ${alias} },`,
    source.slice(end),
  ].join('');
}
