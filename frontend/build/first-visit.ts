import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** Scripts of a first visit to a public page until the visitor first touches something, gzipped, in bytes. */
export const scriptBudget = 130_000;

/** A script that a page asks for, gzipped, in bytes. */
export interface WeighedScript {
  readonly name: string;
  readonly size: number;
}

const importedNames = /\b(?:from|import)\s*["']\.\/([^"']+\.js)["']/g;

/**
 * The scripts that a chunk needs to run: itself and all that it imports, directly or not. What it loads later, on
 * demand, is left out.
 * @param folder - of the chunks
 * @param name - of the first chunk
 * @param found - the scripts that are known already; the new ones are added
 * @throws when a script is missing
 */
export async function weighScripts(
  folder: string,
  name: string,
  found: Map<string, WeighedScript> = new Map(),
): Promise<ReadonlyMap<string, WeighedScript>> {
  if (found.has(name)) return found;
  found.set(name, await weighScript(folder, name));
  const code = await readFile(join(folder, name), 'utf8');
  for (const [, imported = ''] of code.matchAll(importedNames)) await weighScripts(folder, imported, found);
  return found;
}

async function weighScript(folder: string, name: string): Promise<WeighedScript> {
  const code = await readFile(join(folder, name));
  return { name, size: (await promisify(gzip)(code, { level: 9 })).length };
}

/**
 * All scripts that a page loads by itself: those that it runs or preloads, with what they import, and those that it
 * fetches one by one while the visitor reads.
 * @param site - the folder of the built site
 * @param html - the page
 */
export async function scriptsOfFirstVisit(site: string, html: string): Promise<readonly WeighedScript[]> {
  const folder = join(site, 'assets');
  const found = new Map<string, WeighedScript>();
  for (const [, name = ''] of html.matchAll(/<(?:script|link)\b[^>]*?(?:src|href)="\/assets\/([^"]+\.js)"/g)) {
    await weighScripts(folder, name, found);
  }
  const idle = /<meta name="idle-scripts" content="([^"]*)"/.exec(html)?.[1] ?? '';
  for (const [, name = ''] of idle.matchAll(/\/assets\/(\S+)/g)) {
    if (!found.has(name)) found.set(name, await weighScript(folder, name));
  }
  return [...found.values()];
}

/**
 * @param site - the folder of the built site
 * @param file - the page's file in it
 * @throws when the page loads more script than the budget before the visitor touches anything
 */
export async function checkScriptBudget(site: string, file: string): Promise<void> {
  const scripts = await scriptsOfFirstVisit(site, await readFile(join(site, file), 'utf8'));
  const size = scripts.reduce((sum, script) => sum + script.size, 0);
  if (size <= scriptBudget) return;
  const list = scripts.map((script) => `  ${script.name}: ${script.size}`).join('\n');
  throw new Error(`${file} loads ${size} bytes of script, more than ${scriptBudget}:\n${list}`);
}
