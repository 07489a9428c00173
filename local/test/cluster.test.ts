import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { copyInitialisedCluster } from '@dune-tide/testkit/initialised-cluster';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import pg from 'pg';
import { ClusterError, installedBinaries, requireStopped, startCluster } from '../src/cluster.ts';

/** Finds the initdb process that works in a folder, after it has written PG_VERSION. */
async function initdbOf(directory: string): Promise<number | undefined> {
  const names = await readdir(directory, { recursive: true }).catch(() => []);
  if (!names.some((name) => /^[^/]+\/PG_VERSION$/.test(name))) return undefined;
  // Not all processes of the machine: reading them takes longer than initdb when there are many.
  const children = await readFile(`/proc/self/task/${process.pid}/children`, 'utf8');
  for (const pid of children.trim().split(' ')) {
    const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
    if (words[0]?.endsWith('/initdb') && words.some((word) => word.startsWith(directory))) return Number(pid);
  }
  return undefined;
}

describe('the local cluster', function () {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'cluster-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));
  const start = () => startCluster({ directory, port: 0, logFile: join(directory, 'postgresql.log') });

  it('starts after a first start that was killed during initdb', async () => {
    for (let times = 0; times < 2; times++) {
      const [[first]] = await Promise.all([
        Promise.allSettled([start()]),
        until('initdb is running', () => initdbOf(directory)).then((pid) => process.kill(pid, 'SIGKILL')),
      ]);
      expect(first).to.have.property('reason').that.is.instanceOf(ClusterError);
    }

    const cluster = await start();
    await cluster.createDatabase('studio');
    await cluster.stop();
    expect(await readFile(join(directory, 'postgresql.log'), 'utf8')).to.include('ready to accept connections');
    expect(await readdir(directory)).to.have.members(['data', 'password', 'postgresql.log']);
  });

  it('starts if postmaster.pid of a crashed server names another process', async () => {
    const other = await mkdtemp(join(tmpdir(), 'cluster-'));
    await Promise.all([directory, other].map(copyInitialisedCluster));
    const neighbour = await startCluster({ directory: other, port: 0, logFile: join(other, 'postgresql.log') });
    try {
      for (const pid of [neighbour.pid, process.pid, process.ppid]) {
        const lines = [pid, join(directory, 'data'), 1_700_000_000, 54_329, '', '127.0.0.1', '', 'ready'];
        await writeFile(join(directory, 'data/postmaster.pid'), lines.join('\n'));
        await requireStopped(directory);
        const cluster = await start();
        await cluster.createDatabase('studio');
        const twice: unknown = await start().catch((error: unknown) => error);
        expect(twice).to.be.instanceOf(ClusterError);
        expect(twice).to.have.property('message').that.includes(`already running (process ${cluster.pid})`);
        await cluster.stop();
      }
    } finally {
      await neighbour.stop();
      await rm(other, { recursive: true, force: true });
    }
  });

  it('runs without any capability in a folder that only the user who starts it can enter', async () => {
    const closed = join(directory, 'closed');
    await mkdir(closed, { mode: 0o700 });
    // The server's user cannot reach these programs either.
    const installed = dirname(dirname(dirname((await installedBinaries()).postgres)));
    const version = basename(directory);
    await promisify(execFile)('cp', ['--recursive', installed, join(closed, 'package')]);
    await writeFile(join(closed, 'package/package.json'), JSON.stringify({ version }));
    const binaries = {
      initdb: join(closed, 'package/native/bin/initdb'),
      postgres: join(closed, 'package/native/bin/postgres'),
    };
    await chmod(closed, 0o700);
    const folder = join(closed, 'postgresql');
    try {
      for (let times = 0; times < 2; times++) {
        const cluster = await startCluster({ directory: folder, port: 0, logFile: join(directory, 'log'), binaries });
        try {
          const status = await readFile(`/proc/${cluster.pid}/status`, 'utf8');
          for (const kind of ['Inh', 'Prm', 'Eff', 'Amb'])
            expect(status).to.match(new RegExp(`^Cap${kind}:\t0+$`, 'm'));
          expect(status).to.match(/^Uid:\t[1-9]/m);
          expect(await readlink(`/proc/${cluster.pid}/cwd`)).to.equal(join(folder, 'data'));

          const client = new pg.Client({ connectionString: cluster.url('postgres') });
          await client.connect();
          const refusal: unknown = await client
            .query(`select pg_read_file('/etc/shadow')`)
            .catch((error: unknown) => error);
          expect(refusal).to.have.property('code', '42501');
          await client.query('select pg_reload_conf()');
          await client.end();
        } finally {
          await cluster.stop();
        }
      }
    } finally {
      await rm(`/var/cache/dune-and-tide-postgresql/${version}`, { recursive: true, force: true });
    }
  });

  it('does not start if its log cannot be written, and names the log', async () => {
    await mkdir(join(directory, 'postgresql.log'));
    const [first] = await Promise.allSettled([start()]);
    expect(first).to.have.property('reason').that.is.instanceOf(ClusterError);
    expect(first).to.have.nested.property('reason.message', `${directory}/postgresql.log cannot be written: EISDIR`);
    expect(await readdir(join(directory, 'data'))).not.to.include('postmaster.pid');
  });
});
