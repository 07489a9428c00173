import { createHash } from 'node:crypto';
import { coverArt, heroArt } from '@dune-tide/domain/art/hero';
import { serviceArt } from '@dune-tide/domain/art/services';
import { brand, palette } from '@dune-tide/domain/brand';
import { caseStudies } from '@dune-tide/domain/content/case-studies';
import { home } from '@dune-tide/domain/content/home';
import { services } from '@dune-tide/domain/content/services';

/**
 * Increased when the same content renders to another PDF (layout, fonts, PDFKit), so that files of earlier versions are
 * not used. A test fails when this is necessary.
 */
export const layoutVersion = 5;

const content = { layoutVersion, brand, palette, caseStudies, services, coverArt, heroArt, serviceArt, home };

/**
 * Returns a hash of everything that the portfolio shows.
 * @param publicUrl - the site's address
 */
export function portfolioVersion(publicUrl: string): string {
  const shown = JSON.stringify({ ...content, publicUrl });
  return createHash('sha256').update(shown).digest('hex').slice(0, 16);
}
