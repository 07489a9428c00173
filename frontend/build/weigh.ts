import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publishedNotFoundPage, publishedPages } from './published-pages.ts';
import { scriptBudget, scriptsOfFirstVisit } from './first-visit.ts';

/* Prints the sizes of each page's HTML, of the scripts of a first visit, and of each script (npm run weigh -w frontend). */

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const site = fileURLToPath(new URL('../dist', import.meta.url));

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`.padStart(10);

const names = (await readdir(join(site, 'assets'))).filter((name) => name.endsWith('.js'));
const start = names.find((name) => name.startsWith('start-')) ?? '';

say(`${'page'.padEnd(28)}${'HTML (br)'.padStart(10)}`);
for (const { path, file } of [...publishedPages, publishedNotFoundPage]) {
  say(`${path.padEnd(28)}${kilobytes((await stat(join(site, `${file}.br`))).size)}`);
}

const shared = await scriptsOfFirstVisit(site, await readFile(join(site, 'index.html'), 'utf8'), start);
const sum = shared.reduce((total, { size }) => total + size, 0);
say(
  `\nscripts of every page before the first interaction, gzipped: ${kilobytes(sum).trim()} of ${scriptBudget / 1000} kB`,
);

say('\nscripts, gzipped');
const sizes = await Promise.all(
  names.map(async (name) => ({ name, size: (await stat(join(site, 'assets', `${name}.gz`))).size })),
);
for (const { name, size } of sizes.toSorted((a, b) => b.size - a.size)) say(`${name.padEnd(44)}${kilobytes(size)}`);
