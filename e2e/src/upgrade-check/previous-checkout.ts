import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { previousRelease } from '@dune-tide/db/schema';

const run = promisify(execFile);
const limitMs = 15 * 60_000;

/**
 * Builds the programs of the previous release from its commit, in a folder below TMPDIR, which the caller removes.
 * @returns the folder
 * @throws if the commit is not in the history of this checkout, as in a shallow clone
 */
export async function buildPreviousRelease(signal: AbortSignal): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'previous-release-'));
  const archive = join(folder, '.archive.tar');
  const { commit, version } = previousRelease;
  await run('git', ['archive', '--output', archive, commit], { signal }).catch((error: unknown) => {
    throw new Error(
      `The commit ${commit} of ${version} is missing. A shallow clone gets it by git fetch --unshallow.`,
      {
        cause: error,
      },
    );
  });
  const inFolder = { cwd: folder, signal, timeout: limitMs, maxBuffer: 64 * 1024 * 1024 };
  await run('tar', ['--extract', '--file', archive], inFolder);
  await run('npm', ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund'], inFolder);
  await run('npx', ['tsc', '--build'], inFolder);
  return folder;
}

/**
 * Runs the migration of a release.
 * @param checkout - its folder
 * @param databaseUrl - with the owner of the tables
 * @param parameters - e.g. `--back-to-release` and a version
 * @returns what it printed
 * @throws with its output if it fails
 */
export async function runMigration(
  checkout: string,
  databaseUrl: string,
  parameters: readonly string[] = [],
): Promise<string> {
  const { stdout } = await run(process.execPath, [join(checkout, 'ops/dist/src/migrate.js'), ...parameters], {
    env: { PATH: process.env['PATH'], DATABASE_URL: databaseUrl },
    timeout: limitMs,
  });
  return stdout.trim();
}
