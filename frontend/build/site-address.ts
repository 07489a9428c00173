import { brand } from '@dune-tide/domain/brand';

const siteUrl = process.env['SITE_URL'] ?? brand.siteUrl;

/**
 * The address under which the public finds a path. Pages are built before anybody knows where they are served, and
 * search engines and previews want whole addresses: the brand's own, or that of the setting SITE_URL of the build.
 * @throws TypeError if SITE_URL is no address
 */
export function siteAddress(path: string): string {
  return new URL(path, siteUrl).href;
}
