import { brand } from '@dune-tide/domain/brand';

/**
 * The address under which the public finds a path. Pages are built before anybody knows where they are served, and
 * search engines and previews want whole addresses: the brand's own, or that of the setting SITE_URL of the build.
 * @throws when SITE_URL is no address of the web
 */
export const siteAddress = (path: string): string => siteAddressOf(process.env['SITE_URL'], path);

/** The same for any value of the setting; an empty one counts as unset, as Docker's build arguments have it. */
export function siteAddressOf(setting: string | undefined, path: string): string {
  const site = setting || brand.siteUrl;
  if (!/^https?:\/\//i.test(site) || !URL.canParse(site)) {
    throw new Error(`SITE_URL must be an address like ${brand.siteUrl}, and is "${site}"`);
  }
  return new URL(path, site).href;
}
