import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
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
    const up = 'docker compose up --detach --wait --no-recreate --scale api=4 api';
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
    for (const file of [...mounted, 'scripts/compose-secrets.sh', 'deploy/prometheus/alertmanager.yml']) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await cp(join(root, file), join(folder, file));
      await chmod(join(folder, file), file.endsWith('.sh') ? 0o700 : 0o600);
    }
    expect(await end(join(folder, 'scripts/compose-secrets.sh'), [])).to.include({ code: 0 });
    for (const file of mounted) {
      const readable = file.endsWith('.sh') ? 0o755 : 0o644;
      expect((await stat(join(folder, file))).mode & 0o777, file).to.equal(readable);
    }
    // The API, which runs as another user, lists the files of this folder.
    expect((await stat(join(folder, 'backups'))).mode & 0o777).to.equal(0o755);
  });
});

/** Copies the files of the checkout that a script reads. */
async function copyFiles(files: readonly string[]): Promise<void> {
  for (const file of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await cp(join(root, file), join(folder, file));
  }
}

/** Runs a script of the copied checkout with a program `docker` that behaves like `docker`. */
async function withDocker(script: string, docker: string, env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  await mkdir(join(folder, 'bin'), { recursive: true });
  await writeFile(join(folder, 'bin/docker'), `#!/bin/sh\n${docker}\n`, { mode: 0o755 });
  return end(join(folder, script), [], { PATH: `${join(folder, 'bin')}:${process.env['PATH']}`, HOME: folder, ...env });
}

describe('scripts/compose-backup.sh', () => {
  const script = 'scripts/compose-backup.sh';
  const dumps = 'echo "$*" > calls; cat > program; echo PGDMP and the rest';
  beforeEach(async () => {
    await copyFiles([script, 'scripts/dump-database.sh']);
    await mkdir(join(folder, 'backups'));
  });

  it('writes a backup that only its owner can read, with the program of this checkout, and prints its path', async () => {
    const { code, stdout } = await withDocker(script, dumps);
    expect(code).to.equal(0);
    const file = stdout.trim();
    expect(file).to.match(/^backups\/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.dump$/);
    expect(await readdir(join(folder, 'backups'))).to.deep.equal([file.slice('backups/'.length)]);
    expect(await readFile(join(folder, file), 'utf8')).to.equal('PGDMP and the rest\n');
    expect((await stat(join(folder, file))).mode & 0o777).to.equal(0o600);
    expect(await readFile(join(folder, 'calls'), 'utf8')).to.equal(
      'compose exec -T postgres sh -s -- --username backup studio\n',
    );
    expect(await readFile(join(folder, 'program'), 'utf8')).to.include('exec pg_dump');
  });

  it('writes to the folder that .env names, and deletes what is older than two weeks', async () => {
    await mkdir(join(folder, 'safe'));
    await writeFile(join(folder, '.env'), `BACKUP_DIRECTORY=${folder}/safe\nPORT=1\n`);
    const monthAgo = new Date(Date.now() - 30 * 24 * 60 * 60 * 1_000);
    for (const name of ['old.dump', 'old.dump.partial', 'old.dump.kept', 'new.dump']) {
      await writeFile(join(folder, 'safe', name), '');
      if (name !== 'new.dump') await utimes(join(folder, 'safe', name), monthAgo, monthAgo);
    }
    const { stdout } = await withDocker(script, dumps);
    expect(await readdir(join(folder, 'safe'))).to.have.members(['old.dump.kept', 'new.dump', basename(stdout.trim())]);
  });

  it('fails with the reason, wherever Docker prints it, and leaves no file', async () => {
    for (const output of ['1', '2']) {
      const { code, stdout, stderr } = await withDocker(script, `echo no such program >&${output}; exit 126`);
      expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
      expect(stderr).to.match(/^no such program\ncompose-backup: no backup was made in backups\./);
      expect(await readdir(join(folder, 'backups'))).to.deep.equal([]);
    }
  });
});

describe('scripts/compose-images.sh', () => {
  const script = 'scripts/compose-images.sh';
  const git = (...words: string[]) =>
    promisify(execFile)('git', ['-c', 'user.name=t', '-c', 'user.email=t@t.example', ...words], { cwd: folder });

  it('builds under the version and the commit, and writes this tag to .env', async () => {
    await copyFiles([script, 'package.json']);
    await git('init', '--quiet');
    await git('add', script, 'package.json');
    await git('commit', '--quiet', '--message', 'release');
    await git('tag', 'some-tag');
    const commit = (await git('rev-parse', 'HEAD')).stdout.trim();
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { readonly version: string };
    const tag = `${version}-${commit.slice(0, 8)}`;
    const builds = 'echo "$* $COMMIT $IMAGE_TAG" > calls; [ ! -e broken ]';

    expect(await withDocker(script, builds)).to.include({ code: 0, stdout: `IMAGE_TAG=${tag}\n` });
    expect(await readFile(join(folder, 'calls'), 'utf8')).to.equal(`compose build ${commit} ${tag}\n`);
    expect(await readFile(join(folder, '.env'), 'utf8')).to.equal(`IMAGE_TAG=${tag}\n`);

    await writeFile(join(folder, '.env'), 'PORT=1\nIMAGE_TAG=0.2.0\nSTAFF_EMAIL=a@b.example');
    await writeFile(join(folder, 'broken'), '');
    expect(await withDocker(script, builds)).to.include({ code: 1, stdout: '' });
    expect(await readFile(join(folder, '.env'), 'utf8')).to.include('IMAGE_TAG=0.2.0\n');
    await rm(join(folder, 'broken'));
    // A change that is in no commit must not get the name of the release.
    await writeFile(join(folder, 'package.json'), `{\n  "version": "${version}",\n}`);
    expect(await withDocker(script, builds)).to.include({ code: 0 });
    expect(await readFile(join(folder, '.env'), 'utf8')).to.equal(
      `PORT=1\nSTAFF_EMAIL=a@b.example\nIMAGE_TAG=${tag}-dirty\n`,
    );
  });
});
