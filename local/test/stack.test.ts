import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, open, readdir, readFile, readlink, rm, stat, symlink } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { connectDatabase, connectForMaintenance } from '@dune-tide/db/connection';
import { migrateTo, previousRelease, upgradeFirst } from '@dune-tide/db/schema';
import { contactMessage } from '@dune-tide/testkit/leads';
import { postLead } from '@dune-tide/testkit/post-lead';
import { addAccount } from '@dune-tide/testkit/staff-accounts';
import { copyInitialisedCluster, copyMigratedCluster } from '@dune-tide/testkit/initialised-cluster';
import { storeSmallPortfolio } from '@dune-tide/testkit/portfolio';
import { keepLog } from '@dune-tide/testkit/recent-log';
import { until } from '@dune-tide/testkit/until';
import { codeOf } from '@dune-tide/platform/system-error';
import { expect } from 'chai';
import { startCluster } from '../src/cluster.ts';
import { clusterDirectory, localDatabaseName, startLocalDatabase } from '../src/local-database.ts';
import { freePort } from '../src/ports.ts';
import { requireUnlimitedMigration } from './unlimited-migration.ts';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

interface Started {
  readonly process: ChildProcess;
  readonly output: () => string;
  readonly ended: Promise<number | NodeJS.Signals | null>;
}

/** Runs the command of `make run` with only these settings, and collects its output. */
function run(settings: Record<string, string>, words: readonly string[] = []): Started {
  const started = spawn(process.execPath, ['local/dist/src/main.js', ...words], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...settings },
  });
  let output = '';
  const keep = (chunk: Buffer): void => {
    output += chunk.toString();
    keepLog(chunk.toString());
  };
  started.stdout.on('data', keep);
  started.stderr.on('data', keep);
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
    started.once('exit', (code, signal) => resolve(signal ?? code)),
  );
  return { process: started, output: () => output, ended };
}

/** Finds all processes of the stack: their command line, environment or working directory contains the folder. */
async function processesOf(directory: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found: number[] = [];
  for (const pid of pids) {
    const read = (file: string): Promise<string> => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
    const place = await readlink(`/proc/${pid}/cwd`).catch(() => '');
    const text = (await read('cmdline')) + (await read('environ')) + place;
    if (text.includes(directory) && pid !== process.pid) found.push(pid);
  }
  return found;
}

/** Returns whether a server accepts connections. */
async function isOpen(host: string, port: string | undefined): Promise<boolean> {
  const socket = connect(Number(port), host);
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  }).finally(() => socket.destroy()) as Promise<boolean>;
}

/**
 * Returns whether this process may mount a small disk. If it may not, the test of a full disk is omitted, and other
 * tests cover the log and the restarts.
 */
function canMount(): boolean {
  return process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0;
}

/** Writes a file until the disk is full. */
async function fill(path: string): Promise<void> {
  const file = await open(path, 'w');
  try {
    for (const size of [1_000_000, 4_096]) {
      const zeros = Buffer.alloc(size);
      try {
        for (;;) await file.write(zeros);
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      }
    }
  } finally {
    await file.close();
  }
}

describe('the whole product on one machine', function () {
  let directory: string;
  let settings: Record<string, string>;
  let site: string;
  let inbox: string;

  async function prepare(): Promise<void> {
    directory = await mkdtemp(join(tmpdir(), 'stack-'));
    const port = await freePort(0, '127.0.0.1');
    const inboxPort = await freePort(0, '127.0.0.1');
    site = `http://localhost:${port}`;
    inbox = `http://127.0.0.1:${inboxPort}`;
    settings = {
      DATA_DIRECTORY: directory,
      PORT: String(port),
      INBOX_PORT: String(inboxPort),
      SMTP_PORT: String(await freePort(0, '127.0.0.1')),
      DATABASE_PORT: String(await freePort(0, '127.0.0.1')),
    };
  }
  async function remove(): Promise<void> {
    for (const pid of await processesOf(directory)) process.kill(pid, 'SIGKILL');
    spawnSync('umount', ['--lazy', join(directory, 'disk')]);
    await rm(directory, { recursive: true, force: true });
  }

  /** Fills a data folder with what a first start takes seconds to make: the database and the portfolio. */
  async function fillData(): Promise<void> {
    await copyMigratedCluster(clusterDirectory(directory));
    await storeSmallPortfolio(join(directory, 'cache'), site);
  }

  const isUp = (started: Started): Promise<boolean> =>
    until('the stack is running', () => {
      if (started.process.exitCode !== null) throw new Error(started.output());
      return started.output().includes('Stop with Ctrl-C');
    });

  /** Presses Ctrl-C. */
  async function interrupt(started: Started): Promise<void> {
    started.process.kill('SIGINT');
    expect(await started.ended).to.equal(0);
    expect(await processesOf(directory), 'processes left').to.deep.equal([]);
  }

  const requestPortfolio = async (email: string): Promise<number | undefined> =>
    (await postLead(site, 'portfolio-lead', { email, source: 'portfolio_view' })).status;

  /** Returns the recipients of all emails in the inbox. */
  async function recipients(): Promise<string[]> {
    const response = await fetch(`${inbox}/api/messages`);
    const mails = (await response.json()) as { envelope: { to: string[] } }[];
    return mails.flatMap(({ envelope }) => envelope.to);
  }

  /** Waits for what as many starts of the API log about second factors. */
  const secondFactorLines = (starts: number): Promise<string[]> =>
    until('the lines about second factors', async () => {
      const text = await readFile(join(directory, 'log/stack.log'), 'utf8');
      const lines = [...text.matchAll(/"decidedBy":"([^"]*)","msg":"([^"]*)"/g)].map(
        ([, by, what]) => `${by}: ${what}`,
      );
      return lines.length >= starts ? lines : undefined;
    });

  const mailTo = (address: string): Promise<unknown> =>
    until(`an email to ${address}`, async () => (await recipients()).includes(address));

  const postmaster = async (folder: string): Promise<number> =>
    Number((await readFile(join(folder, 'postgresql/data/postmaster.pid'), 'utf8')).split('\n')[0]);

  describe('when it starts', () => {
    beforeEach(prepare);
    afterEach(remove);

    it('prints its addresses, accepts a lead, sends its email and keeps both for the next start', async () => {
      const first = run(settings);
      await isUp(first);
      const said = first.output();
      expect(said).to.include(site).and.include(inbox).and.include(`${site}/admin/login`);
      const password = /admin \/ (\S{22}) +\(not shown again/.exec(said)?.[1] ?? '';
      expect(said.split(password), 'shown once').to.have.length(2);

      expect(await requestPortfolio('first@example.com')).to.equal(201);
      await mailTo('first@example.com');
      expect(await readFile(join(directory, 'log/stack.log'), 'utf8')).to.match(
        /"process":"inbox".*"msg":"email stored"/,
      );
      expect(await secondFactorLines(1)).to.deep.equal(['REQUIRE_SECOND_FACTOR: second factors are optional']);

      const operator = { cwd: root, env: { PATH: process.env['PATH'], DATA_DIRECTORY: directory } };
      const staff = ['ops/dist/src/staff.js', 'list'];
      expect((await stat(join(directory, 'database-url'))).mode & 0o777).to.equal(0o600);
      expect((await execute(process.execPath, staff, operator)).stdout).to.match(
        /^admin +admin +none +owner +active +never$/m,
      );
      const unread = await execute('sh', ['-c', `'${process.execPath}' ${staff.join(' ')} | true`], operator);
      expect(unread.stderr, 'the reader closed the pipe').to.equal('');

      // Simulates a rollback to an earlier release: the database has a migration that this release does not know.
      const url = await readFile(join(directory, 'migrate-database-url'), 'utf8');
      const database = connectDatabase({ url, applicationName: 'test', poolSize: 1 });
      const later = { name: '20991231-99-later', batch: 2, migration_time: new Date() };
      await database('schema_migrations').insert(later);
      await database.destroy();

      await interrupt(first);
      expect(first.output()).to.include('Stopped.');
      const { stderr } = await execute(process.execPath, staff, operator).catch((error: { stderr: string }) => error);
      expect(stderr).to.match(
        /^Set DATABASE_URL or DATABASE_URL_FILE, or start make run first: \S+ does not exist\.\n$/,
      );

      const second = run({ ...settings, REQUIRE_SECOND_FACTOR: 'on' });
      await isUp(second);
      expect((await secondFactorLines(2)).at(-1)).to.equal(
        'REQUIRE_SECOND_FACTOR: second factors are required of all accounts',
      );
      expect(second.output())
        .to.include('admin / the password that was set   (to change it: make staff ARGS="password admin")')
        .and.include(`A later release has migrated the database and added ${later.name}.`);
      await mailTo('first@example.com');
      second.process.kill('SIGTERM');
      expect(await second.ended).to.equal(0);
    });

    it('takes over the data of the previous release without a time limit, and sends its emails once', async () => {
      await fillData();
      const local = await startLocalDatabase(directory, 0);
      const earlier = connectForMaintenance({ url: local.url('migrate'), applicationName: 'test' });
      await migrateTo(earlier, previousRelease.lastMigration);
      const account = await addAccount(earlier);
      for (const [email, state] of [
        ['sent@example.com', 'sent'],
        ['waiting@example.com', 'pending'],
      ] as const) {
        const id = randomUUID();
        const { kind, fields } = contactMessage;
        await earlier('leads').insert({ id, kind, email, answers: JSON.stringify(fields) });
        await earlier('follow_ups').insert({
          id,
          lead_id: id,
          kind: 'acknowledgement',
          recipient: email,
          message_id: `<${id}@example.com>`,
          state,
          sent_at: state === 'sent' ? earlier.fn.now() : null,
        });
      }
      await earlier.destroy();
      await requireUnlimitedMigration(directory, 'local');
      await local.stop();

      const started = run(settings);
      await isUp(started);
      await mailTo('waiting@example.com');
      expect(await requestPortfolio('after@example.com')).to.equal(201);
      await mailTo('after@example.com');
      const toVisitors = (await recipients()).filter((address) => address.endsWith('@example.com'));
      expect(toVisitors).to.have.members(['waiting@example.com', 'after@example.com']);
      const signIn = await fetch(`${site}/api/admin/login`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Origin: site },
        body: JSON.stringify({ username: account.username, password: account.password }),
      });
      expect(signIn.status).to.equal(200);

      const app = connectDatabase({
        url: await readFile(join(directory, 'database-url'), 'utf8'),
        applicationName: 'test',
        poolSize: 1,
      });
      const { rows } = await app.raw<{ rows: unknown[] }>(
        `select current_user::text as role, (select rolsuper from pg_roles where rolname = current_user) as "isSuperuser",
           array(select distinct tableowner::text from pg_tables where schemaname in ('public', 'bullmq')) as owners`,
      );
      await app.destroy();
      expect(rows).to.deep.equal([{ role: 'app', isSuperuser: false, owners: ['migrate'] }]);
      await interrupt(started);
    });

    it('refuses the data of a release before the required stop in one line, and changes nothing', async () => {
      await fillData();
      const contentOf = async (): Promise<unknown> => {
        const logFile = join(directory, 'postgresql.log');
        const cluster = await startCluster({ directory: clusterDirectory(directory), port: 0, logFile });
        const database = connectForMaintenance({ url: cluster.url(localDatabaseName), applicationName: 'test' });
        await database('schema_migrations').where('name', '>', '20261125-14-email-bounds').delete();
        const { rows } = await database.raw<{ rows: unknown[] }>(
          `select name, null from schema_migrations union all select tablename, tableowner::text from pg_tables
           union all select rolname, null from pg_roles order by 1`,
        );
        await database.destroy();
        await cluster.stop();
        return rows;
      };
      const before = await contentOf();

      const started = run(settings);
      expect(await started.ended).to.equal(1);
      expect(started.output().split('\n').filter(Boolean)).to.deep.equal([upgradeFirst]);
      expect(await contentOf()).to.deep.equal(before);
    });

    it('stops its parts when it is interrupted during the start, and can start again', async () => {
      const databaseFile = join(directory, 'database-url');
      const thereIs = (path: string) => async (): Promise<boolean> =>
        stat(path).then(
          () => true,
          () => false,
        );
      const moments = [
        { name: 'it has started', has: thereIs(join(directory, 'log')), said: [] },
        {
          name: 'the database is being created',
          has: thereIs(join(directory, 'postgresql/data.unfinished')),
          said: [],
        },
        {
          name: 'the parts are being started',
          has: thereIs(databaseFile),
          said: [/^First staff account: admin \/ \S{22}$/],
          isFilled: true,
        },
      ];
      for (const { name, has, said, isFilled = false } of moments) {
        await rm(directory, { recursive: true });
        if (isFilled) await mkdir(directory).then(() => fillData());
        const started = run(settings);
        await until(name, has);
        await interrupt(started);
        const [first, ...lines] = started.output().split('\n').filter(Boolean);
        expect(first, name).to.equal('Interrupted; stopping.');
        expect(lines.pop(), name).to.equal('Stopped. Your data is kept for the next start.');
        // An interrupted start must print the password of a new account, because the next start does not print it again.
        expect(lines, name).to.have.length(said.length);
        for (const [index, line] of said.entries()) expect(lines[index], name).to.match(line);
        expect(await thereIs(databaseFile)(), name).to.equal(false);
      }

      const next = run(settings);
      await isUp(next);
      await interrupt(next);
    });

    it('reports that the queue is unavailable and accepts leads anyway', async () => {
      const closed = await freePort(0, '127.0.0.1');
      await fillData();
      const started = run({ ...settings, REDIS_URL: `redis://127.0.0.1:${closed}`, INBOX_HOST: '127.0.0.2' });
      await until('the report', () => started.output().includes('The queue is unavailable (REDIS_URL).'));
      for (const name of ['INBOX_PORT', 'SMTP_PORT']) {
        expect(await isOpen('127.0.0.2', settings[name]), name).to.equal(true);
        expect(await isOpen('127.0.0.1', settings[name]), name).to.equal(false);
      }
      expect(await requestPortfolio('first@example.com')).to.equal(201);
      await interrupt(started);
    });

    if (canMount()) {
      it('keeps the site up while the disk is full, responds to forms with 503 and recovers by itself', async () => {
        const disk = join(directory, 'disk');
        await mkdir(disk);
        await execute('mount', ['-t', 'tmpfs', '-o', 'size=160m', 'tmpfs', disk]);
        // Without the migrated database, which has spare files for its WAL, with which PostgreSQL could start.
        await copyInitialisedCluster(clusterDirectory(disk));
        await storeSmallPortfolio(join(disk, 'cache'), site);
        const started = run({ ...settings, DATA_DIRECTORY: disk, PUBLIC_POST_LIMIT: '0' });
        await isUp(started);
        const post = async (email: string): Promise<number | undefined> => {
          const message = 'A long message that fills the disk. '.repeat(50);
          const contact = { firstName: 'Noura', lastName: 'al-Harbi', email, service: 'all', message };
          const { status } = await postLead(site, 'contact', contact);
          expect(status).to.be.oneOf([201, 503]);
          return status;
        };
        expect(await post('before@example.com')).to.equal(201);

        await fill(join(disk, 'filler'));
        await until('forms get 503', async () => (await post('during@example.com')) === 503);
        expect((await fetch(site)).status).to.equal(200);
        // PostgreSQL exits if it cannot write its WAL, and cannot start again while the disk is full.
        process.kill(await postmaster(disk), 'SIGKILL');
        await until('a restart has failed', () => started.output().includes('The database cannot be restarted yet:'));
        expect(await post('during@example.com')).to.equal(503);
        expect((await fetch(site)).status).to.equal(200);

        await rm(join(disk, 'filler'));
        await until('leads are accepted', async () => (await post('after@example.com')) === 201);
        await mailTo('after@example.com');
        await until('the log is written', async () =>
          (await readFile(join(disk, 'log/stack.log'), 'utf8')).includes('"msg":"log lines lost"'),
        );
        await interrupt(started);
      });
    }

    it('reports all invalid settings before it creates a file, and reports a folder that it cannot create', async () => {
      const wrong = { TRUSTED_PROXIES: 'proxy', LOG_LEVEL: 'loud', WORKER_CONCURRENCY: '0', PORT: 'x' };
      const started = run({ ...settings, ...wrong, DATABASE_PORT: '0' });
      expect(await started.ended).to.equal(1);
      for (const name of [...Object.keys(wrong), 'DATABASE_PORT']) {
        expect(started.output()).to.include(`  ${name} is invalid`);
      }
      expect(await readdir(directory)).to.deep.equal([]);

      const nowhere = run({ ...settings, DATA_DIRECTORY: '/dev/null/data' });
      expect(await nowhere.ended).to.equal(1);
      expect(nowhere.output().trim()).to.match(/^.*ENOTDIR.*\/dev\/null.*$/);
    });

    it('reports in one line that a port is taken', async () => {
      const server = createServer().listen(Number(settings['PORT']), '127.0.0.1');
      const started = run(settings);
      expect(await started.ended).to.equal(1);
      const [, taken, free] =
        /^Port (\d+) is taken\. Set another one with PORT, e\.g\. make run PORT=(\d+)\n$/.exec(started.output()) ?? [];
      expect(taken, started.output()).to.equal(settings['PORT']);
      expect(Object.values(settings)).to.not.include(free);
      server.close();
    });

    it('names misspelled settings in one line and starts nothing', async () => {
      const started = run({ ...settings, PROT: '9090' });
      expect(await started.ended).to.equal(1);
      expect(started.output()).to.match(/^These [^\n]+: PROT \(PORT\?\)\n$/);
      expect(await readdir(directory)).to.deep.equal([]);
    });

    it('rejects arguments and starts nothing', async () => {
      const started = run(settings, ['--help']);
      expect(await started.ended).to.equal(1);
      expect(started.output()).to.match(/^Unknown argument "--help": [^\n]+\n$/);
      expect(await readdir(directory)).to.deep.equal([]);
    });
  });

  describe('while it runs', () => {
    let started: Started;
    before(async () => {
      await prepare();
      await fillData();
      await mkdir(join(directory, 'log'));
      await symlink('/dev/full', join(directory, 'log/stack.log'));
      settings['HOST'] = '0.0.0.0';
      const server = createServer().listen(Number(settings['DATABASE_PORT']), '127.0.0.1');
      started = run(settings);
      await isUp(started).finally(() => server.close());
    });
    after(remove);

    it('opens only the site on HOST, because the inbox and the mail catcher have no password', async () => {
      expect(await isOpen('127.0.0.2', settings['PORT'])).to.equal(true);
      for (const name of ['INBOX_PORT', 'SMTP_PORT']) {
        expect(await isOpen('127.0.0.1', settings[name]), name).to.equal(true);
        expect(await isOpen('127.0.0.2', settings[name]), name).to.equal(false);
      }
    });

    it('uses another port for its database if that one is taken', async () => {
      const { port } = new URL(await readFile(join(directory, 'database-url'), 'utf8'));
      expect(port).to.not.equal(settings['DATABASE_PORT']);
    });

    it('sends emails although its log cannot be written, and reports that once', async () => {
      for (const email of ['unlogged@example.com', 'unlogged-again@example.com']) {
        expect(await requestPortfolio(email)).to.equal(201);
        await mailTo(email);
      }
      const report = 'The log cannot be written: ENOSPC. Log lines are lost until it can be written again.';
      expect(started.output().split(report)).to.have.length(2);
    });

    it('rejects a second start on the same data', async () => {
      const free = async (): Promise<string> => String(await freePort(0, '127.0.0.1'));
      for (const ports of [{}, { PORT: await free(), INBOX_PORT: await free() }]) {
        const second = run({ ...settings, ...ports });
        expect(await second.ended).to.equal(1);
        expect(second.output()).to.match(
          /^The database in .* is already running \(process \d+\): make run or make seed is using it\. [^\n]+\n$/,
        );
      }
    });

    it('restarts a part or a database that dies', async () => {
      const lines = await Promise.all(
        (await processesOf(directory)).map(async (pid) => ({
          pid,
          line: await readFile(`/proc/${pid}/cmdline`, 'utf8').catch((error: unknown) => {
            // A process of the database has ended in the meantime.
            if (['ENOENT', 'ESRCH'].includes(codeOf(error) ?? '')) return '';
            throw error;
          }),
        })),
      );
      const worker = lines.find(({ line }) => line.includes('worker/dist/src/main'));
      process.kill(worker?.pid ?? 0, 'SIGKILL');
      await until('the worker is running again', () => started.output().includes('The worker is running again.'));
      expect(started.output()).to.include('The worker died (SIGKILL); restarting it.');
      expect(await requestPortfolio('after@example.com')).to.equal(201);
      await mailTo('after@example.com');

      process.kill(await postmaster(directory), 'SIGKILL');
      await until('the database is running again', () => started.output().includes('The database is running again.'));
      expect(started.output()).to.include('The database ended unexpectedly; restarting it.');
      await until('leads are accepted', async () => {
        const status = await requestPortfolio('late@example.com');
        expect(status).to.be.oneOf([201, 503]);
        return status === 201;
      });
      await mailTo('late@example.com');
    });

    it('leaves no process running after a SIGKILL', async () => {
      started.process.kill('SIGKILL');
      await until('everything has ended', async () => (await processesOf(directory)).length === 0);
    });
  });
});
