import { brand } from '@dune-tide/domain/brand';
import type { PublishedPage } from './published-pages.ts';
import { escapeHtml } from './escape-html.ts';
import { previewFile, previewSize } from './previews.ts';
import { siteAddress } from './site-address.ts';
import { structuredData } from './structured-data.ts';

/** Returns the tags of a page's head besides the title and the tags that all pages share (index.html). */
export function pageHead(page: PublishedPage): string {
  const url = siteAddress(page.path);
  const about = (property: string, content: string) =>
    `<meta property="${property}" content="${escapeHtml(content)}" />`;
  const named = (name: string, content: string) => `<meta name="${name}" content="${escapeHtml(content)}" />`;
  if (page.isHidden) return named('robots', 'noindex');
  return [
    named('description', page.description),
    `<link rel="canonical" href="${url}" />`,
    about('og:type', 'website'),
    about('og:site_name', brand.name),
    about('og:locale', 'en_US'),
    about('og:url', url),
    about('og:title', page.title),
    about('og:description', page.description),
    about('og:image', siteAddress(`/${previewFile(page)}`)),
    about('og:image:width', String(previewSize.width)),
    about('og:image:height', String(previewSize.height)),
    about('og:image:alt', page.title),
    named('twitter:card', 'summary_large_image'),
    named('twitter:title', page.title),
    named('twitter:description', page.description),
    named('twitter:image', siteAddress(`/${previewFile(page)}`)),
    // `<` is escaped, so that no text can end the script element.
    ...structuredData(page).map(
      (data) => `<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`,
    ),
  ].join('\n    ');
}
