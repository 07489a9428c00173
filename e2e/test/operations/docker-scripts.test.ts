import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { hangLimitSeconds } from '@dune-tide/testkit/until';
import { codeOf } from '@dune-tide/platform/system-error';
import { expect } from 'chai';

const root = fileURLToPath(new URL('../../../', import.meta.url));

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program and returns how it ended, even if it failed. */
async function end(program: string, words: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<Ended> {
  try {
    return { code: 0, ...(await promisify(execFile)(program, words, { env, timeout: hangLimitSeconds * 1000 })) };
  } catch (error) {
    const { stdout, stderr } = error as Ended;
    return { code: Number(codeOf(error)), stdout, stderr };
  }
}

/** Creates files with their folders. */
async function fill(folder: string, files: readonly string[], mode = 0o600): Promise<void> {
  for (const file of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true, mode: 0o700 });
    await writeFile(join(folder, file), file, { mode });
  }
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .toSorted();
}

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docker-scripts-'));
});
afterEach(() => rm(folder, { recursive: true }));

/**
 * Keeps the ids of containers in the file `containers`, and records what it is called with. `up` adds containers, or
 * fails if the file `unhealthy` exists.
 */
const engine = `#!/bin/sh
cd "$STATE"
echo "docker $*" >> calls
case "$1 $2" in
  'compose ps') cat containers ;;
  'compose up')
    for word in "$@"; do case $word in api=*) wanted=\${word#api=} ;; esac; done
    while [ "$(wc -l < containers)" -lt "$wanted" ]; do
      echo x >> made
      echo "new$(wc -l < made | tr -d ' ')" >> containers
    done
    [ ! -e unhealthy ]
    ;;
  stop*) echo "$(wc -l < containers | tr -d ' ') before a stop" >> counts ;;
  rm*)
    for word in "$@"; do last=$word; done
    grep -vx "$last" containers > left || true
    mv left containers
    ;;
esac
`;

describe('scripts/compose-replace.sh', () => {
  const replace = (...words: string[]): Promise<Ended> =>
    end(join(root, 'scripts/compose-replace.sh'), words, {
      PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
      STATE: folder,
    });
  const lines = async (file: string): Promise<string[]> =>
    (await readFile(join(folder, file), 'utf8')).split('\n').filter((line) => line !== '');

  beforeEach(async () => {
    await mkdir(join(folder, 'bin'));
    await writeFile(join(folder, 'bin/docker'), engine, { mode: 0o755 });
    await writeFile(join(folder, 'bin/sleep'), '#!/bin/sh\necho "sleep $*" >> "$STATE/calls"\n', { mode: 0o755 });
    await writeFile(join(folder, 'containers'), 'one\ntwo\nthree\n');
  });

  it('replaces one container after the other, each after a new one has become healthy', async () => {
    expect(await replace('api')).to.include({ code: 0 });
    expect(await lines('containers')).to.deep.equal(['new1', 'new2', 'new3']);
    // Includes the old containers: at each stop there is one more than before.
    expect(await lines('counts')).to.deep.equal(Array.from({ length: 3 }, () => '4 before a stop'));
    const calls = (await lines('calls')).filter((call) => !call.includes(' ps '));
    const up = 'docker compose up --detach --wait --no-deps --no-recreate --scale api=4 api';
    expect(calls).to.deep.equal(
      ['one', 'two', 'three'].flatMap((id) => [up, 'sleep 5', `docker stop ${id}`, `docker rm ${id}`]),
    );
  });

  it('keeps all old containers and removes the new one if it does not become healthy', async () => {
    await writeFile(join(folder, 'unhealthy'), '');
    const { code, stderr } = await replace('api');
    expect(code).to.equal(1);
    expect(stderr).to.include('did not become healthy');
    expect(await lines('containers')).to.deep.equal(['one', 'two', 'three']);
    expect(await lines('calls')).to.not.include.members(['docker stop one']);
  });

  it('fails for a service without containers', async () => {
    await writeFile(join(folder, 'containers'), '');
    const { code, stderr } = await replace('api');
    expect(code).to.equal(1);
    expect(stderr).to.include('api has no container');
  });

  it('prints its usage and changes nothing without a service', async () => {
    for (const [words, code] of [
      [['--help'], 0],
      [[], 1],
      [['--force'], 1],
    ] as const) {
      const ended = await replace(...words);
      expect(ended.code).to.equal(code);
      expect(ended.stdout + ended.stderr).to.match(/^Usage: scripts\/compose-replace\.sh SERVICE…\n/);
    }
    expect(await readdir(folder)).to.not.include('calls');
  });
});

describe('scripts/prune-image.sh', () => {
  const run = [
    'api/dist/src/main.js',
    'api/package.json',
    'frontend/dist/index.html',
    'frontend/package.json',
    'node_modules/koa/LICENSE.md',
    'node_modules/koa/dist/test/index.js',
    'node_modules/koa/lib/application.js',
    'node_modules/koa/package.json',
    'node_modules/native/native.node',
    'package.json',
  ];
  const notRun = [
    'api/dist/.tsbuildinfo',
    'api/dist/src/main.d.ts',
    'api/dist/src/main.js.map',
    'bench/package.json',
    'node_modules/.bin/koa',
    'node_modules/.package-lock.json',
    'node_modules/@types/koa/package.json',
    'node_modules/koa/README.md',
    'node_modules/koa/examples/server.js',
    'node_modules/koa/lib/application.d.cts',
    'node_modules/koa/src/application.ts',
    'node_modules/koa/test/application.js',
    '.npmrc',
    'package-lock.json',
  ];

  it('keeps what the processes read and removes the rest', async () => {
    await fill(folder, [...run, ...notRun]);
    await mkdir(join(folder, 'node_modules/@dune-tide'));
    for (const workspace of ['api', 'bench']) {
      await symlink(`../../${workspace}`, join(folder, 'node_modules/@dune-tide', workspace));
    }
    expect(await end(join(root, 'scripts/prune-image.sh'), [folder])).to.include({ code: 0 });
    expect(await filesIn(folder)).to.have.members([...run, 'node_modules/@dune-tide/api']);
    expect(await readdir(folder)).to.not.include('bench');
  });

  it('makes everything readable for another user, even in a checkout made with umask 077', async () => {
    await fill(folder, run);
    expect(await end(join(root, 'scripts/prune-image.sh'), [folder])).to.include({ code: 0 });
    for (const file of run) {
      expect((await stat(join(folder, file))).mode & 0o777, file).to.equal(0o644);
      expect((await stat(dirname(join(folder, file)))).mode & 0o005, file).to.equal(0o005);
    }
  });
});

describe('scripts/compose-secrets.sh', () => {
  it('makes the mounted files of a checkout with umask 077 readable for the containers', async () => {
    const compose = await readFile(join(root, 'docker-compose.yml'), 'utf8');
    const mounted = [...compose.matchAll(/[ ']\.\/([^:]+):\//g)].map(([, file = '']) => file);
    expect(mounted).to.include.members(['deploy/compose/haproxy.cfg', 'db/roles.sql', 'scripts/dump-database.sh']);
    for (const file of [...mounted, 'scripts/compose-secrets.sh']) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await cp(join(root, file), join(folder, file));
      await chmod(join(folder, file), file.endsWith('.sh') ? 0o700 : 0o600);
    }
    expect(await end(join(folder, 'scripts/compose-secrets.sh'), [])).to.include({ code: 0 });
    for (const file of mounted) {
      const readable = file.endsWith('.sh') ? 0o755 : 0o644;
      expect((await stat(join(folder, file))).mode & 0o777, file).to.equal(readable);
    }
  });
});
