import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  connectDatabase,
  describeOutage,
  DatabaseUnavailableError,
  type DatabaseOptions,
} from '@dune-tide/db/connection';
import type { Role } from '@dune-tide/db/schema';
import { createProgress } from '@dune-tide/platform/progress';
import { rejectMisspelledSettings } from '@dune-tide/platform/setting-names';
import { readSettings, SettingsError } from '@dune-tide/platform/settings';
import { codeOf, isMissingFile } from '@dune-tide/platform/system-error';
import type { Knex } from 'knex';
import { localDatabaseFile } from './local-database.ts';
import { OperatorError } from './operator-error.ts';
import { isHelp } from './arguments.ts';

/** The database and the output of an operator's command. */
export interface OperatorConsole {
  readonly database: Knex;
  /** STAFF_EMAIL, if it is set. */
  readonly staffEmail?: string | undefined;
  readonly say: (line: string) => void;
  /** The folder of the logs of `make run`, if the database is its own. */
  readonly logDirectory?: string | undefined;
  /** Shows the progress on a terminal, until `say` is called or the command ends. */
  readonly showProgress?: (text: string) => void;
}

/**
 * Parses the arguments and returns a function that runs the command. Invalid arguments are thus reported even if the
 * database is unavailable.
 * @throws {OperatorError} if an argument is invalid
 */
export type OperatorCommand = (words: readonly string[]) => (console: OperatorConsole) => Promise<void>;

/**
 * Runs an operator's command on DATABASE_URL, or on the database of the running `make run` if that is not set. The role
 * `migrate` uses MIGRATION_DATABASE_URL instead if it is set. An error is printed in one line, and the exit code is 1.
 * @param name - the application name in pg_stat_activity
 * @param usage - the output of --help
 * @param role - the role with the rights that the command needs
 * @param connect - `connectForMaintenance` for a command that may exceed the usual time limits
 */
export async function runOperatorCommand(
  name: string,
  usage: string,
  command: OperatorCommand,
  role: Role = 'app',
  connect: (options: DatabaseOptions) => Knex = connectDatabase,
): Promise<void> {
  const words = process.argv.slice(2);
  const progress = createProgress();
  const say = (line: string): void => {
    progress.clear();
    process.stdout.write(`${line}\n`);
  };
  process.stdout.on('error', (error) => {
    // A reader such as head(1) may close the pipe early.
    if (codeOf(error) !== 'EPIPE') throw error;
  });
  if (isHelp(words)) return say(usage);
  try {
    const work = command(words);
    rejectMisspelledSettings(process.env);
    const settings = readSettings(process.env, {
      required: [],
      optional: ['DATABASE_URL', 'MIGRATION_DATABASE_URL', 'DATA_DIRECTORY', 'WEBHOOK_URL', 'STAFF_EMAIL'],
    });
    const given = (role === 'migrate' ? settings.MIGRATION_DATABASE_URL : undefined) ?? settings.DATABASE_URL;
    const logDirectory = given === undefined ? resolve(settings.DATA_DIRECTORY, 'log') : undefined;
    const url = given ?? (await localDatabase(resolve(settings.DATA_DIRECTORY), role));
    const writesWebhooks = settings.WEBHOOK_URL !== undefined;
    const database = connect({ url, applicationName: name, poolSize: 2, writesWebhooks });
    try {
      await work({ database, staffEmail: settings.STAFF_EMAIL, say, logDirectory, showProgress: progress.show });
    } finally {
      await database.destroy();
    }
  } catch (error) {
    progress.clear();
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
}

async function localDatabase(dataDirectory: string, role: Role): Promise<string> {
  const file = localDatabaseFile(dataDirectory, role);
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    throw new OperatorError(
      isMissingFile(error)
        ? `Set DATABASE_URL or DATABASE_URL_FILE, or start make run first: ${file} does not exist.`
        : `${file} cannot be read: ${codeOf(error)}`,
    );
  }
}

function explain(error: unknown): string {
  if (error instanceof DatabaseUnavailableError) return describeOutage(error);
  if (error instanceof OperatorError || error instanceof SettingsError) return error.message;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
