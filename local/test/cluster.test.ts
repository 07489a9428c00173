import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import { ClusterError, startCluster } from '../src/cluster.ts';

/** Finds the initdb process that works in a folder, after it has written PG_VERSION. */
async function initdbOf(directory: string): Promise<number | undefined> {
  const names = await readdir(directory, { recursive: true }).catch(() => []);
  if (!names.some((name) => /^[^/]+\/PG_VERSION$/.test(name))) return undefined;
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
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

  it('does not start if its log cannot be written, and names the log', async () => {
    await mkdir(join(directory, 'postgresql.log'));
    const [first] = await Promise.allSettled([start()]);
    expect(first).to.have.property('reason').that.is.instanceOf(ClusterError);
    expect(first).to.have.nested.property('reason.message', `${directory}/postgresql.log cannot be written: EISDIR`);
    expect(await readdir(join(directory, 'data'))).not.to.include('postmaster.pid');
  });
});
