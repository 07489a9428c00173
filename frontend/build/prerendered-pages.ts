import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin, type UserConfig } from 'vite';
import type { PublishedPage } from './published-pages.ts';
import { checkScriptBudget, weighScripts } from './first-visit.ts';
import { fingerprint } from '../src/app/fingerprint.ts';
import { staffShell } from '../src/app/staff-pages.ts';
import { pageHead } from './page-head.ts';
import { routes, staffShellPage } from './staff-shell.ts';

/**
 * Vite plugin: writes each page with its markup, styles and head into a copy of the shell. A visitor sees the page
 * before any script has run, and an unknown address gets status 404. The staff area gets only the shell.
 * @param pages - the pages to write
 * @param rendering - the Vite plugins and resolution that the pages' modules need
 */
export function prerenderedPages(pages: readonly PublishedPage[], rendering: UserConfig): Plugin {
  let root = '';
  let folder = '';
  return {
    name: 'prerendered-pages',
    apply: 'build',
    configResolved(config) {
      root = config.root;
      folder = resolve(root, config.build.outDir);
    },
    async writeBundle(_options, bundle) {
      const fileOf = (chunk: string): string => {
        const found = Object.values(bundle).find((output) => output.type === 'chunk' && output.name === chunk);
        if (!found) throw new Error(`The build has no chunk "${chunk}"`);
        return found.fileName;
      };
      const start = fileOf('start');
      const written = await readFile(join(folder, 'index.html'), 'utf8');
      await checkScriptBudget(folder, written, basename(start));
      const shell = await inlineStyles(written, folder);
      const staffScripts = await scriptsOf(folder, [start, fileOf('StaffArea')]);
      await writeFile(join(folder, staffShell.file), staffShellPage(shell, staffScripts));
      await writeFile(join(folder, routes.file), routes.content);
      const markup = await renderPages(pages, root, rendering);
      for (const page of pages) {
        const file = join(folder, page.file);
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, fillShell(shell, markup.get(page) ?? '', pageHead(page)));
      }
    },
  };
}

/** Renders the pages with a build for Node, in a temporary folder. */
async function renderPages(
  pages: readonly PublishedPage[],
  root: string,
  rendering: UserConfig,
): Promise<ReadonlyMap<PublishedPage, string>> {
  // The folder is inside the workspace, so that Node.js finds the packages that the pages import.
  const folder = join(root, 'src/generated/prerender');
  try {
    await build({
      ...rendering,
      root,
      configFile: false,
      logLevel: 'warn',
      publicDir: false,
      build: {
        ssr: 'src/app/prerender.tsx',
        outDir: folder,
        emptyOutDir: true,
        rolldownOptions: { output: { entryFileNames: 'prerender.js' } },
      },
    });
    const module: { renderPage: (path: string) => Promise<string> } = await import(
      pathToFileURL(join(folder, 'prerender.js')).href
    );
    const markup = new Map<PublishedPage, string>();
    for (const page of pages) markup.set(page, await module.renderPage(page.path));
    return markup;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the paths of the given chunks and of their static imports. */
async function scriptsOf(folder: string, chunks: readonly string[]): Promise<readonly string[]> {
  const paths = new Set<string>();
  for (const chunk of chunks) {
    const names = (await weighScripts(dirname(join(folder, chunk)), basename(chunk))).keys();
    for (const name of names) paths.add(`/${dirname(chunk)}/${name}`);
  }
  return [...paths];
}

/**
 * Inlines the style sheet into the shell, because a separate request would take longer than loading these few bytes
 * with the page.
 */
async function inlineStyles(shell: string, folder: string): Promise<string> {
  const link = /<link rel="stylesheet"[^>]*href="([^"]+)"[^>]*>/.exec(shell);
  if (!link?.[1]) throw new Error('The shell has no style sheet');
  const css = await readFile(join(folder, link[1]), 'utf8');
  return shell.replace(link[0], () => `<style>${css.trim()}</style>`);
}

/**
 * Inserts a page's markup into the shell, and its tags and styles into the head, where React and Emotion expect them.
 */
function fillShell(shell: string, markup: string, pageTags: string): string {
  const title = /<title>.*?<\/title>/.exec(markup)?.[0];
  if (title === undefined) throw new Error('A page has no title');
  if (/<script\b/.test(markup)) throw new Error('A page contains a script, which the content security policy blocks');
  // Emotion writes a style at each use. The browser needs it once, at the position of its first use.
  const found = [...markup.matchAll(/<style data-emotion="([^"]*)"[^>]*>(.*?)<\/style>/gs)];
  const styles = [...new Map(found.map(([, name = '', css = '']) => [name, css])).entries()].map(([name, css]) => ({
    name,
    css,
  }));
  const isGlobal = ({ name }: { name: string }) => name.startsWith('css-global');
  const scoped = styles.filter((style) => !isGlobal(style));
  // Emotion would move styles without data-s (src/app/prerendered-styles.ts).
  const head = [
    pageTags,
    ...styles.filter(isGlobal).map(({ name, css }) => `<style data-emotion="${name}" data-s>${css}</style>`),
    `<style data-emotion="css ${scoped.map(({ name }) => name.replace('css ', '')).join(' ')}" data-s>${scoped.map(({ css }) => css).join('')}</style>`,
  ].join('\n    ');
  const body = markup.replace(title, '').replaceAll(/<style data-emotion="[^"]*"[^>]*>.*?<\/style>/gs, '');
  return shell
    .replace(/<title>.*?<\/title>/, () => title)
    .replace('</head>', () => `  ${head}\n  </head>`)
    .replace('<div id="root"></div>', () => `<div id="root" data-painted="${fingerprintOf(body)}">${body}</div>`);
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

/** Returns the fingerprint that src/app/start.tsx compares with the page. The content of `noscript` is left out. */
function fingerprintOf(markup: string): string {
  const seen = markup.replaceAll(/<noscript>.*?<\/noscript>/gs, '<noscript>').replaceAll(/<!--.*?-->/gs, '');
  const text = seen.replaceAll(/<[^>]*>/g, '').replaceAll(/&([^;]+);/g, (all, name: string) => entities[name] ?? all);
  return fingerprint([...seen.matchAll(/<[a-z]/g)].length, text);
}
