import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { notFoundPage, pages } from '../src/app/pages.ts';
import { scriptBudget, scriptsOfFirstVisit } from './first-visit.ts';

/* Prints what the built site weighs: each page's first visit, and each script (npm run weigh -w frontend). */

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const site = fileURLToPath(new URL('../dist', import.meta.url));

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`.padStart(10);

say(
  `${'page'.padEnd(28)}${'HTML (br)'.padStart(10)}${'first visit'.padStart(14)}   of ${scriptBudget / 1000} kB, gzipped`,
);
for (const { path, file } of [...pages, notFoundPage]) {
  const scripts = await scriptsOfFirstVisit(site, await readFile(join(site, file), 'utf8'));
  const sum = scripts.reduce((total, { size }) => total + size, 0);
  const html = (await stat(join(site, `${file}.br`))).size;
  say(`${path.padEnd(28)}${kilobytes(html)}${kilobytes(sum).padStart(14)}`);
}

say('\nscripts, gzipped');
const names = (await readdir(join(site, 'assets'))).filter((name) => name.endsWith('.js'));
const sizes = await Promise.all(
  names.map(async (name) => ({ name, size: (await stat(join(site, 'assets', `${name}.gz`))).size })),
);
for (const { name, size } of sizes.toSorted((a, b) => b.size - a.size)) say(`${name.padEnd(44)}${kilobytes(size)}`);
