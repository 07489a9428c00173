import { buffer } from 'node:stream/consumers';
import { brand } from '@dune-tide/domain/brand';
import { drawPage } from './draw-page.ts';
import { loadFonts } from './fonts.ts';
import { page } from './grid.ts';
import { portfolioPages } from './pages/portfolio.ts';
import { PortfolioDocument } from './pdfkit-internals.ts';
import { createTypesetter } from './typesetter.ts';

/** Fixed, so that the same content renders to the same bytes. */
const creationDate = new Date(Date.UTC(brand.copyrightYear, 0, 1));

/**
 * Renders the portfolio from the case studies.
 * @param publicUrl - the site's address
 * @param options - `compress: false` returns bytes that do not depend on the version of zlib
 * @returns the PDF; the same bytes for the same content
 */
export async function renderPortfolio(
  publicUrl: string,
  { compress = true }: { readonly compress?: boolean } = {},
): Promise<Buffer> {
  const fonts = await loadFonts();
  const document = new PortfolioDocument({
    size: [page.width, page.height],
    margin: 0,
    autoFirstPage: false,
    compress,
    // No default font: the typesetter registers all fonts.
    font: '',
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en',
    displayTitle: true,
    info: {
      Title: `${brand.name}: Portfolio`,
      Author: brand.name,
      Subject: brand.tagline,
      Creator: brand.name,
      CreationDate: creationDate,
      ModDate: creationDate,
    },
  });
  const bytes = buffer(document);
  const root = document.struct('Document');
  document.addStructure(root);
  for (const layout of portfolioPages(createTypesetter(document, fonts), publicUrl)) {
    document.addPage();
    drawPage(document, root, layout);
  }
  root.end();
  document.end();
  return bytes;
}
