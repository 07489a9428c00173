import { brand } from '@dune-tide/domain/brand';

/**
 * Returns the public URL of a path. The build does not know the address that serves it, but search engines and link
 * previews need absolute URLs: those of SITE_URL, or of the brand's own site.
 * @throws if SITE_URL is not a web address
 */
export const siteAddress = (path: string): string => siteAddressOf(process.env['SITE_URL'], path);

/** Does the same for any value of the setting. An empty one counts as unset, like Docker's build arguments. */
export function siteAddressOf(setting: string | undefined, path: string): string {
  const site = setting || brand.siteUrl;
  if (!/^https?:\/\//i.test(site) || !URL.canParse(site)) {
    throw new Error(`SITE_URL must be an address like ${brand.siteUrl}, not "${site}"`);
  }
  return new URL(path, site).href;
}
