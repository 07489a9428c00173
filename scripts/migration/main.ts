import { mkdtemp, chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectForMaintenance } from '@dune-tide/db/connection';
import {
  buildDefinitions,
  changeDefinitions,
  migrateTo,
  migrateUp,
  migrations,
  previousRelease,
  readDefinitions,
  type DefinitionChange,
} from '@dune-tide/db/schema';
import { startCluster } from '@dune-tide/local/cluster';
import { format, resolveConfig } from 'prettier';
import { definitions } from '../../db/sql/index.ts';
import { isMigrationName, nameMigration, register, render, renew } from './migration-file.ts';

/*
 * Writes a migration for the differences between `db/sql/` and the migrations (CONTRIBUTING.md, "Changing the
 * database"), or writes those of the newest migration again.
 */

const database = fileURLToPath(new URL('../../db/', import.meta.url));
const list = join(database, 'src/schema/migrate.ts');

const words = process.env['NAME'] ?? '';
if (!isMigrationName(words)) {
  process.stderr.write('Name the migration: make migration NAME=lead-tags (small letters, digits and hyphens).\n');
  process.exit(1);
}

const names = migrations.map(({ name }) => name);
const newest = names.at(-1) ?? '';
const isRenewed = newest.endsWith(`-${words}`) && newest > previousRelease.lastMigration;
const name = isRenewed ? newest : nameMigration(words, names, new Date());
const file = join(database, 'migrations', `${name}.ts`);

const { up, down } = await inShadowDatabase(async (shadow) => {
  const last = isRenewed ? names.at(-2) : newest;
  if (last !== undefined) await migrateTo(shadow, last);
  const previous = await readDefinitions(shadow);
  // The tables of a migration that exists are those of its `up`.
  await migrateUp(shadow);
  const wanted = await buildDefinitions(shadow, definitions);
  return { up: changeDefinitions(previous, wanted), down: changeDefinitions(wanted, previous) };
});
await write(file, isRenewed ? renew(await readFile(file, 'utf8'), up, down) : render(up, down));
if (!isRenewed) await write(list, register(await readFile(list, 'utf8'), name));
process.stdout.write(describe(up));

/** Runs work on an empty database of a server that exists only for it. */
async function inShadowDatabase<Result>(
  work: (shadow: ReturnType<typeof connectForMaintenance>) => Promise<Result>,
): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), 'migration-'));
  // PostgreSQL may run as another user, who must be able to enter.
  await chmod(directory, 0o711);
  try {
    const cluster = await startCluster({
      directory: join(directory, 'cluster'),
      port: 0,
      logFile: join(directory, 'postgresql.log'),
      settings: ['fsync=off'],
    });
    try {
      await cluster.createDatabase('shadow');
      const shadow = connectForMaintenance({ url: cluster.url('shadow'), applicationName: 'migration' });
      try {
        return await work(shadow);
      } finally {
        await shadow.destroy();
      }
    } finally {
      await cluster.stop();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function write(path: string, text: string): Promise<void> {
  await writeFile(path, await format(text, { ...(await resolveConfig(path)), filepath: path }));
}

function describe({ statements }: DefinitionChange): string {
  const wrote = `${isRenewed ? 'Wrote again' : 'Wrote'} db/migrations/${name}.ts`;
  const what =
    statements.length === 0
      ? 'db/sql does not differ from the migrations.'
      : `${statements.length} statements from db/sql.`;
  return `${wrote}: ${what}\nAdd tables, columns and data to it by hand. Run the command again after each change of db/sql.\n`;
}
