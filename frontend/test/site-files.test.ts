import { icons } from '../build/icons.ts';
import { publishedNotFoundPage, publishedPages } from '../build/published-pages.ts';
import { siteFiles } from '../build/site-files.ts';
import { expect } from 'chai';
import { createServer, type Rolldown, type ViteDevServer } from 'vite';

describe('the files that the shell links to, with npm run dev', () => {
  let server: ViteDevServer;
  let address: string;
  before(async () => {
    server = await createServer({
      configFile: false,
      root: import.meta.dirname,
      logLevel: 'silent',
      optimizeDeps: { noDiscovery: true },
      plugins: [siteFiles([])],
      server: { host: '127.0.0.1', port: 0, ws: false },
    });
    await server.listen();
    address = server.resolvedUrls?.local[0] ?? '';
  });
  after(() => server.close());

  const typeOf = async (path: string) => (await fetch(new URL(path, address))).headers.get('content-type');

  it('exist: the manifest, and the icons that it and the browser request', async () => {
    const manifest = (await (await fetch(new URL('/site.webmanifest', address))).json()) as {
      readonly icons: readonly { readonly src: string; readonly type: string }[];
    };
    expect(manifest.icons).to.have.length(3);
    for (const { src, type } of manifest.icons) expect(await typeOf(src), src).to.equal(type);
    expect(await typeOf(`/${icons.svg.file}`)).to.equal('image/svg+xml');
    expect(await typeOf(`/${icons.unnamed.file}?again`)).to.equal('image/x-icon');
  });
});

describe('sitemap.xml', () => {
  it('lists the public pages, without the page for unknown addresses', async () => {
    const files = new Map<string, string | Uint8Array>();
    const pages = publishedPages.filter(({ path }) => path === '/' || path === '/careers');
    const { generateBundle } = siteFiles([...pages, publishedNotFoundPage]);
    await (generateBundle as unknown as (this: Pick<Rolldown.PluginContext, 'emitFile'>) => Promise<void>).call({
      emitFile(file) {
        if (file.type === 'asset') files.set(file.fileName ?? '', file.source ?? '');
        return '';
      },
    });
    const addresses = String(files.get('sitemap.xml')).match(/(?<=<loc>)[^<]+/g);
    expect(addresses).to.deep.equal(['https://duneandtide.studio/', 'https://duneandtide.studio/careers']);
  });
});
