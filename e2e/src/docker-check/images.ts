import type { Run } from './run.ts';

/** Files that no process reads, by the pattern of `find -name`. */
const unusedFiles = ['*.ts', '*.mts', '*.cts', '*.tsx', '*.map', '*.tsbuildinfo', 'package-lock.json', '.npmrc'];
const packageManagers = ['npm', 'npx', 'corepack', 'yarn', 'pnpm', 'apt-get', 'dpkg'];

/**
 * Checks what an image contains.
 * @returns its size, that of /app, and the version of Node.js
 * @throws if it has a package manager, a file that no process reads, or a file that its user cannot read
 */
export async function checkImage(run: Run, image: string): Promise<string> {
  const inImage = (commands: string): Promise<string> =>
    run('docker', ['run', '--rm', '--network', 'none', image, 'sh', '-ec', commands]);
  const managers = await inImage(`for each in ${packageManagers.join(' ')}; do command -v "$each" || true; done`);
  if (managers !== '') throw new Error(`${image} has a package manager: ${managers}`);
  const names = unusedFiles.map((pattern) => `-name '${pattern}'`).join(' -o ');
  const unused = await inImage(`find /app \\( ${names} -o -type d -empty -o ! -readable \\) -print`);
  if (unused !== '')
    throw new Error(`${image} has files that no process reads or that its user cannot read:\n${unused}`);
  const user = (await inImage('id --user')).trim();
  if (user === '0') throw new Error(`${image} runs as root`);
  const node = (await inImage('node --version')).trim();
  const app = Number.parseInt(await inImage('du -sk /app'), 10) / 1024;
  const size = Number(await run('docker', ['image', 'inspect', '--format', '{{.Size}}', image])) / 1e6;
  return `${size.toFixed(0)} MB, of which /app ${app.toFixed(0)} MB, Node.js ${node}`;
}
