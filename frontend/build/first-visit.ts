import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/**
 * The budget for the scripts that every public page loads before the first interaction, gzipped, in bytes. The
 * page's own code is not included.
 */
export const scriptBudget = 145_000;

/** A script that a page loads, with its gzipped size in bytes. */
export interface WeighedScript {
  readonly name: string;
  readonly size: number;
}

const importedNames = /\b(?:from|import)\s*["']\.\/([^"']+\.js)["']/g;

/**
 * Adds the scripts that a chunk needs to run: itself and its direct and indirect static imports, without dynamic ones.
 * @param folder - the folder of the chunks
 * @param name - the name of the first chunk
 * @param found - the scripts found so far; new ones are added
 * @throws if a script is missing
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
 * Returns the scripts that a page loads before any interaction: those that it runs or preloads, those that start the
 * application, and their imports.
 * @param site - the folder of the built site
 * @param html - the HTML of the page
 * @param start - the name of the script that starts the application
 */
export async function scriptsOfFirstVisit(
  site: string,
  html: string,
  start: string,
): Promise<readonly WeighedScript[]> {
  const folder = join(site, 'assets');
  const found = new Map<string, WeighedScript>();
  for (const [, name = ''] of html.matchAll(/<(?:script|link)\b[^>]*?(?:src|href)="\/assets\/([^"]+\.js)"/g)) {
    await weighScripts(folder, name, found);
  }
  await weighScripts(folder, start, found);
  return [...found.values()];
}

/**
 * Checks a page against the script budget.
 * @param site - the folder of the built site
 * @param html - the HTML of the page
 * @param start - the name of the script that starts the application
 * @throws if the scripts before the first interaction exceed the budget
 */
export async function checkScriptBudget(site: string, html: string, start: string): Promise<void> {
  const scripts = await scriptsOfFirstVisit(site, html, start);
  const size = scripts.reduce((sum, script) => sum + script.size, 0);
  if (size <= scriptBudget) return;
  const list = scripts.map((script) => `  ${script.name}: ${script.size}`).join('\n');
  throw new Error(`Every page loads ${size} bytes of script, more than ${scriptBudget}:\n${list}`);
}
