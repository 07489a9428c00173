import { execFile } from 'node:child_process';
import { mkdtemp, chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
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
import { codeOf } from '@dune-tide/platform/system-error';
import { definitions } from '../../db/sql/index.ts';
import { isMigrationName, nameMigration, register, render, renew } from './migration-file.ts';

/*
 * Writes a migration for the differences between `db/sql/` and the migrations (CONTRIBUTING.md, "Changing the
 * database"), or writes those of the newest migration again.
 */

const database = fileURLToPath(new URL('../../db/', import.meta.url));
const list = join(database, 'src/schema/migrations.ts');

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

const none: DefinitionChange = { statements: [], lateChecks: [] };
const { up, down, missing } = await inShadowDatabase(async (shadow) => {
  const last = isRenewed ? names.at(-2) : newest;
  if (last !== undefined) await migrateTo(shadow, last);
  const previous = await readDefinitions(shadow);
  // The tables of a migration that exists are those of its `up`.
  await migrateUp(shadow);
  try {
    const wanted = await buildDefinitions(shadow, definitions);
    return { up: changeDefinitions(previous, wanted), down: changeDefinitions(wanted, previous), missing: undefined };
  } catch (error) {
    // PostgreSQL, appendix A: class 42 has undefined tables and columns. Knex puts the statement before the message.
    if (!(error instanceof Error) || codeOf(error)?.startsWith('42') !== true) throw error;
    return { up: none, down: none, missing: error.message.split(' - ').at(-1) };
  }
});
if (isRenewed && missing === undefined) await write(file, renew(await readFile(file, 'utf8'), up, down));
if (!isRenewed) {
  await write(file, render(up, down));
  await write(list, register(await readFile(list, 'utf8'), name));
}
say(`db/migrations/${name}.ts: ${isRenewed ? 'an existing migration' : 'new'}`);
if (missing === undefined) {
  say(`${up.statements.length} statements from db/sql are in it. Add tables, columns and data by hand.`);
} else {
  say(`db/sql was not read: ${missing}\nAdd what is missing to the migration and run the command again.`);
  process.exitCode = 1;
}

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
  await writeFile(path, text);
  await promisify(execFile)('npx', ['oxfmt', path]);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
