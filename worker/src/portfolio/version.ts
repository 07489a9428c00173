import { createHash } from 'node:crypto';
import { heroArt } from '@dune-tide/domain/art/hero';
import { serviceArt } from '@dune-tide/domain/art/services';
import { brand, palette } from '@dune-tide/domain/brand';
import { caseStudies } from '@dune-tide/domain/content/case-studies';
import { home } from '@dune-tide/domain/content/home';
import { services } from '@dune-tide/domain/content/services';

/**
 * To be raised when the same content gives another PDF (layout, fonts, PDFKit), so that none made before is used. A test
 * says when.
 */
export const layoutVersion = 4;

const content = { layoutVersion, brand, palette, caseStudies, services, heroArt, serviceArt, home };

/** Names what the portfolio shows: another content, another version. @param publicUrl - the site's own address */
export function portfolioVersion(publicUrl: string): string {
  const shown = JSON.stringify({ ...content, publicUrl });
  return createHash('sha256').update(shown).digest('hex').slice(0, 16);
}
