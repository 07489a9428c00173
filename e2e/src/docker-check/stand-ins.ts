import { createHash } from 'node:crypto';
import {
  access,
  chmod,
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMissingFile } from '@dune-tide/platform/system-error';
import { parse } from 'yaml';
import type { Run } from './run.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const definitions = fileURLToPath(new URL('stand-ins/', import.meta.url));
/** Node.js of the line that the images use, from npm (e2e/node-lines). */
const nodeProgram = join(root, 'e2e/node-lines/node_modules/node-26/bin/node');
const buildSeconds = 1_800;

/** The services of the profile `monitoring` that have a stand-in. Debian has no Grafana. */
export const monitoring = ['prometheus', 'alertmanager', 'node-exporter', 'blackbox-exporter'] as const;

/** The real names of the images that the product is based on, by stand-in. */
async function readImages(): Promise<ReadonlyMap<string, string>> {
  const { services } = parse(await readFile(join(root, 'docker-compose.yml'), 'utf8')) as {
    readonly services: Readonly<Record<string, { readonly image: string }>>;
  };
  const [, node] = /^FROM (node:\S+)/m.exec(await readFile(join(root, 'Dockerfile'), 'utf8')) ?? [];
  if (node === undefined) throw new Error('The Dockerfile is not based on an image of Node.js');
  const imageOf = (service: string): string => {
    const image = services[service]?.image;
    if (image === undefined) throw new Error(`docker-compose.yml has no image of ${service}`);
    return image;
  };
  return new Map([
    ['node', node],
    ['haproxy', imageOf('front')],
    ...['postgres', 'redis', 'mailpit', ...monitoring].map((each) => [each, imageOf(each)] as const),
  ]);
}

/**
 * Loads the stand-ins for base images into the engine, under the names of the real ones. Builds them unless an earlier
 * run has built the same ones.
 * @param folder - keeps the images between runs
 * @returns what they are
 */
export async function loadStandIns(run: Run, folder: string): Promise<string> {
  const images = await readImages();
  const nodeVersion = (await run(nodeProgram, ['--version'])).trim();
  const hash = createHash('sha256').update(JSON.stringify([...images, nodeVersion]));
  for (const name of ['Dockerfile', 'mailpit.sh', 'mailpit.ts', 'postgres-entrypoint.sh']) {
    hash.update(await readFile(join(definitions, name)));
  }
  const archive = join(folder, `stand-ins-${hash.digest('hex').slice(0, 16)}.tar`);
  if (await exists(archive)) {
    await run('docker', ['load', '--input', archive]);
    return `kept from an earlier run; Node.js ${nodeVersion} from npm`;
  }
  await build(run, folder, images);
  const older = (await readdir(folder)).filter((name) => name.startsWith('stand-ins-'));
  for (const name of older) await rm(join(folder, name), { recursive: true });
  await run('docker', ['save', '--output', `${archive}.new`, ...images.values()]);
  await rename(`${archive}.new`, archive);
  return `${images.size} made; Node.js ${nodeVersion} from npm`;
}

async function build(run: Run, folder: string, images: ReadonlyMap<string, string>): Promise<void> {
  const work = await mkdtemp(join(folder, 'stand-ins-'));
  try {
    for (const suite of ['bookworm', 'sid']) {
      const archive = join(folder, `${suite}.tar`);
      if (!(await exists(archive))) {
        const tree = join(work, suite);
        await run('debootstrap', ['--variant=minbase', suite, tree], { limitSeconds: buildSeconds });
        await run('tar', ['-C', tree, '-cf', `${archive}.new`, '.']);
        await rename(`${archive}.new`, archive);
      }
      await run('docker', ['import', archive, `docker-check/${suite}`]);
    }
    const context = join(work, 'context');
    await fillContext(run, context);
    for (const [target, image] of images) {
      const words = ['buildx', 'build', '--load', '--target', target, '--tag', image, context];
      await run('docker', words, { limitSeconds: buildSeconds });
    }
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Collects the files that the stand-ins' Dockerfile copies. */
async function fillContext(run: Run, context: string): Promise<void> {
  const node = join(context, 'node');
  for (const each of ['bin', 'lib/node_modules']) await mkdir(join(node, each), { recursive: true });
  for (const name of ['Dockerfile', 'mailpit.sh', 'postgres-entrypoint.sh']) {
    await copyFile(join(definitions, name), join(context, name));
  }
  await copyFile(nodeProgram, join(node, 'bin/node'));
  await chmod(join(node, 'bin/node'), 0o755);
  // The machine's npm; the real image has npm too.
  const npm = join((await run('npm', ['root', '--global'])).trim(), 'npm');
  await cp(npm, join(node, 'lib/node_modules/npm'), { recursive: true });
  for (const name of ['npm', 'npx']) {
    await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, join(node, 'bin', name));
  }
  const authorities = process.env['NODE_EXTRA_CA_CERTS'];
  await writeFile(
    join(context, 'authorities.pem'),
    authorities === undefined ? '' : await readFile(authorities, 'utf8'),
  );

  const mailpit = join(context, 'mailpit');
  await mkdir(join(mailpit, 'node_modules'), { recursive: true });
  await copyFile(join(definitions, 'mailpit.ts'), join(mailpit, 'mailpit.ts'));
  await writeFile(join(mailpit, 'package.json'), JSON.stringify({ type: 'module' }));
  for (const name of ['smtp-server', 'postal-mime']) await copyPackage(name, join(mailpit, 'node_modules'));
}

/** Copies an installed package and those that it needs. */
async function copyPackage(name: string, into: string): Promise<void> {
  const source = join(root, 'node_modules', name);
  await cp(source, join(into, name), { recursive: true });
  const { dependencies = {} } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as {
    readonly dependencies?: Readonly<Record<string, string>>;
  };
  for (const each of Object.keys(dependencies)) {
    // A package nested in this one was copied with it.
    if (!(await exists(join(source, 'node_modules', each)))) await copyPackage(each, into);
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (isMissingFile(error)) return false;
    throw error;
  }
}
