import type { Plugin } from 'vite';
import { preloadHelper } from './vite-internals.ts';

/**
 * Plain JavaScript, because the build includes it unchanged. The message equals that of Chromium's own error, and its
 * cause is the response's status. Bodies are read completely, otherwise the browser would not cache them. The style
 * sheet among the files is already part of the page.
 */
const code = `
const fetched = new Map();

async function fetchScript(href) {
  const response = await fetch(href).catch(() => undefined);
  const body = response?.ok && (await response.arrayBuffer().catch(() => undefined));
  if (!body) {
    fetched.delete(href);
    throw new TypeError('Failed to fetch dynamically imported module: ' + href, { cause: response?.status });
  }
}

export async function ${preloadHelper.functionName}(load, files = []) {
  const scripts = files.filter((file) => file.endsWith('.js')).map((file) => '/' + file);
  for (const href of scripts) if (!fetched.has(href)) fetched.set(href, fetchScript(href));
  await Promise.all(scripts.map((href) => fetched.get(href)));
  return load();
}
`;

/**
 * Vite plugin: runs an `import()` after all its scripts are in the browser's cache. Most browsers never retry a module
 * whose script failed to load until the page is reloaded; a fetch can be retried.
 */
export function fetchedImports(): Plugin {
  return {
    name: 'fetched-imports',
    apply: 'build',
    enforce: 'pre',
    load: (id) => (id === preloadHelper.id ? code : null),
    generateBundle(_, bundle) {
      const styles = Object.keys(bundle).filter((name) => name.endsWith('.css'));
      const isUsed = Object.values(bundle).some(
        (file) => file.type === 'chunk' && file.code.includes('Failed to fetch dynamically'),
      );
      if (this.environment.name === 'client' && (!isUsed || styles.length > 1))
        this.error('Vite loads imports in another way than fetched-imports.ts expects');
    },
  };
}
