import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { hangLimitSeconds } from '@dune-tide/testkit/until';

/** The folder of the checkout. */
export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Runs git in the checkout and returns what it prints. */
export async function git(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', [...args], {
    cwd: root,
    maxBuffer: 32 * 2 ** 20,
    timeout: hangLimitSeconds * 1000,
  });
  return stdout;
}

/** Lists the paths of all files that git knows and of new ones that it does not ignore. */
async function listFiles(): Promise<readonly string[]> {
  const listed = await git('ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate');
  const deleted = new Set((await git('ls-files', '-z', '--deleted')).split('\0'));
  return listed.split('\0').filter((path) => path !== '' && !deleted.has(path));
}

/** A file that people read. */
export interface TextFile {
  readonly path: string;
  readonly lines: readonly string[];
}

const notWritten = /\.(png|svg|ico|woff2|pdf)$|(^|\/)package-lock\.json$|^LICENSE$/;

/** Reads every file that holds text of ours: code, documents, settings. */
export async function readTexts(): Promise<readonly TextFile[]> {
  const paths = (await listFiles()).filter((path) => !notWritten.test(path));
  return Promise.all(
    paths.map(async (path) => ({ path, lines: (await readFile(`${root}${path}`, 'utf8')).split('\n') })),
  );
}
