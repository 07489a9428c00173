import { extname } from 'node:path';
import { brand, palette } from '@dune-tide/domain/brand';
import type { Plugin } from 'vite';
import type { PublishedPage } from './published-pages.ts';
import { escapeHtml } from './escape-html.ts';
import { iconFiles, icons } from './icons.ts';
import { previewFile, previewPicture } from './previews.ts';
import { siteAddress } from './site-address.ts';

/**
 * Vite plugin: adds the icons, the manifest, sitemap.xml, robots.txt and the link previews to the build. `npm run dev`
 * serves only the icons and the manifest, because the pages link to them.
 * @param pages - the public pages; hidden ones have no sitemap entry and no link preview
 */
export function siteFiles(pages: readonly PublishedPage[]): Plugin {
  return {
    name: 'site-files',
    configureServer({ middlewares }) {
      const files = linkedFiles();
      middlewares.use((request, response, next) => {
        const [file = ''] = (request.url ?? '').slice(1).split('?');
        const content = files.get(file);
        if (content === undefined) return next();
        response.setHeader('Content-Type', mediaTypes[extname(file)] ?? 'application/octet-stream');
        response.end(content);
      });
    },
    async generateBundle() {
      const found = pages.filter(({ isHidden }) => isHidden !== true);
      const files = new Map<string, string | Buffer>([
        ...linkedFiles(),
        ['sitemap.xml', sitemap(found)],
        ['robots.txt', robots],
      ]);
      for (const page of found) files.set(previewFile(page), await previewPicture(page));
      for (const [fileName, source] of files) this.emitFile({ type: 'asset', fileName, source });
    },
  };
}

const linkedFiles = () => new Map<string, string | Buffer>([...iconFiles(), ['site.webmanifest', manifest]]);

const mediaTypes: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webmanifest': 'application/manifest+json',
};

const manifest = JSON.stringify(
  {
    name: brand.name,
    short_name: brand.name,
    description: brand.tagline,
    start_url: '/',
    display: 'browser',
    background_color: palette.paper,
    theme_color: palette.paper,
    icons: [icons.medium, icons.large, { ...icons.maskable, purpose: 'maskable' }].map(({ file, size, ...rest }) => ({
      src: `/${file}`,
      sizes: `${size}x${size}`,
      type: 'image/png',
      ...rest,
    })),
  },
  null,
  2,
);

/** The staff area is not listed, because a page that is not read cannot say `noindex`. */
const robots = `User-agent: *
Disallow: /api/

Sitemap: ${siteAddress('/sitemap.xml')}
`;

function sitemap(pages: readonly PublishedPage[]): string {
  const entries = pages.map(({ path }) => `  <url><loc>${escapeHtml(siteAddress(path))}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join('\n')}
</urlset>
`;
}
