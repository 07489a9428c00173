import { chmod, copyFile, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissingFile } from '@dune-tide/platform/system-error';
import type { Run } from './run.ts';

const names = ['docker-compose', 'docker-buildx'] as const;

/** The Debian release that has Compose 2. Its programs run on the C library of the previous one. */
const suite = 'trixie';

/**
 * Puts the plugins for Compose and Buildx into `docker-config/cli-plugins`, from Debian's packages. APT uses separate
 * sources, lists and caches, so that those of the machine do not change.
 * @param folder - keeps the plugins between runs
 * @returns the names of the packages
 */
export async function preparePlugins(folder: string, run: Run): Promise<string> {
  const plugins = join(folder, 'docker-config', 'cli-plugins');
  const found = await readdir(plugins).catch((error: unknown): string[] => {
    if (isMissingFile(error)) return [];
    throw error;
  });
  if (names.every((name) => found.includes(name))) return 'kept from an earlier run';

  const work = await mkdtemp(join(folder, 'apt-'));
  try {
    const apt = await configureApt(work);
    await run('apt-get', [...apt, 'update']);
    await run('apt-get', [...apt, 'download', ...names], { folder: work });
    const packages = (await readdir(work)).filter((name) => name.endsWith('.deb'));
    for (const file of packages) await run('dpkg-deb', ['-x', join(work, file), join(work, 'root')]);
    await mkdir(plugins, { recursive: true });
    const files = await readdir(join(work, 'root'), { recursive: true });
    for (const name of names) {
      const file = files.find((each) => each.endsWith(`/cli-plugins/${name}`));
      if (file === undefined) throw new Error(`Debian's package ${name} has no plugin`);
      const target = join(plugins, name);
      await copyFile(join(work, 'root', file), `${target}.new`);
      await chmod(`${target}.new`, 0o755);
      await rename(`${target}.new`, target);
    }
    return packages.map((file) => file.split('_').slice(0, 2).join(' ')).join(', ');
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** @returns the options that make apt-get use only the folder */
async function configureApt(folder: string): Promise<string[]> {
  const sources = join(folder, 'sources.list');
  const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';
  await writeFile(sources, `deb [signed-by=${keyring}] http://deb.debian.org/debian ${suite} main\n`);
  for (const each of ['state/lists/partial', 'cache/archives/partial']) {
    await mkdir(join(folder, each), { recursive: true });
  }
  const settings = {
    'Dir::Etc::SourceList': sources,
    'Dir::Etc::SourceParts': '/dev/null',
    'Dir::State': join(folder, 'state'),
    'Dir::State::status': '/var/lib/dpkg/status',
    'Dir::Cache': join(folder, 'cache'),
    'APT::Sandbox::User': 'root',
    'Acquire::Retries': '2',
    'Acquire::http::Timeout': '20',
    'Acquire::Check-Valid-Until': 'false',
  };
  return ['-q', ...Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])];
}
