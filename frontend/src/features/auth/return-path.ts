import { parseUrl } from '../../format/parse-url.ts';
import { firstStaffPath, staffArea, staffPath } from '../../routing/staff-paths.ts';

/** A placeholder for the site's origin: URLs with another origin lead to another site. */
const ownOrigin = 'https://own.invalid';

/**
 * Returns the path to show after signing in: the previous page if it is a path of the staff area, otherwise the first
 * page.
 * @param from - the parameter of the sign-in page, which any website may have written
 * @returns a path with its query string and hash
 */
export function returnPath(from: string | null): string {
  // Browsers treat a backslash as a slash and remove control characters.
  if (from === null || !from.startsWith(staffArea) || /[\\\p{Cc}]/u.test(from)) return firstStaffPath;
  const url = parseUrl(from, ownOrigin);
  if (!url) return firstStaffPath;
  const { origin, pathname, search, hash } = url;
  const isOurs = origin === ownOrigin && pathname.startsWith(staffArea) && !pathname.includes('//');
  const isLogin = pathname === staffPath.login || pathname.startsWith(`${staffPath.login}/`);
  return isOurs && !isLogin ? pathname + search + hash : firstStaffPath;
}

/**
 * Returns the address of the sign-in page with the page to return to.
 * @param from - the current location
 */
export function loginAddress(from: { readonly pathname: string; readonly search: string; readonly hash: string }) {
  return `${staffPath.login}?${new URLSearchParams({ from: from.pathname + from.search + from.hash })}`;
}
