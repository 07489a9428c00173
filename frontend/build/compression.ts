import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const compressible = /\.(?:html|js|css|svg|json|txt|xml|webmanifest)$/;

/** Vite plugin: writes a `.br` and a `.gz` next to each compressible file, so that the server does not compress. */
export function compression(): Plugin {
  let folder = '';
  return {
    name: 'compression',
    apply: 'build',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir);
    },
    async closeBundle(error) {
      if (error) return;
      const entries = await readdir(folder, { recursive: true });
      await Promise.all(
        entries.filter((name) => compressible.test(name)).map((name) => compressFile(join(folder, name))),
      );
    },
  };
}

async function compressFile(path: string): Promise<void> {
  const content = await readFile(path);
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
    }),
    promisify(gzip)(content, { level: 9 }),
  ]);
  await Promise.all([writeFile(`${path}.br`, brotli), writeFile(`${path}.gz`, gzipped)]);
}
