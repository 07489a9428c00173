import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { preloadHelper } from '../build/vite-internals.ts';

const sources = {
  'entry.js': `export const load = () => Promise.all([import('./first.js'), import('./second.js'), import('./alone.js')]);`,
  'first.js': `import { shared } from './shared.js'; export const name = shared + ' first';`,
  'second.js': `import { shared } from './shared.js'; export const name = shared + ' second';`,
  'shared.js': `export const shared = 'shared';`,
  'alone.js': `export const name = 'alone';`,
};

const helper = `export const calls = globalThis.preloadCalls = [];
export function ${preloadHelper.functionName}(load, files) {
  calls.push(files);
  return load();
}`;

describe('the internals of Vite', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vite-internals-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('load each import() through the preload helper, with the files that it needs', async () => {
    for (const [name, source] of Object.entries(sources)) await writeFile(join(folder, name), source);
    // With a static import the test runner would load a CommonJS copy of Vite, which does not preload.
    const { build } = await import('vite');
    await build({
      configFile: false,
      root: folder,
      logLevel: 'silent',
      plugins: [{ name: 'helper', enforce: 'pre', load: (id) => (id === preloadHelper.id ? helper : null) }],
      build: {
        minify: false,
        rolldownOptions: {
          input: join(folder, 'entry.js'),
          preserveEntrySignatures: 'strict',
          output: { entryFileNames: '[name].mjs', chunkFileNames: 'assets/[name].js' },
        },
      },
    });
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    const entry: { load: () => Promise<readonly { readonly name: string }[]> } = await import(
      pathToFileURL(join(folder, 'dist/entry.mjs')).href
    );

    const modules = await entry.load();
    expect(modules.map(({ name }) => name)).to.deep.equal(['shared first', 'shared second', 'alone']);
    const { preloadCalls } = globalThis as { readonly preloadCalls?: unknown };
    expect(preloadCalls).to.deep.equal([
      ['assets/first.js', 'assets/shared.js'],
      ['assets/second.js', 'assets/shared.js'],
      [],
    ]);
  });
});
