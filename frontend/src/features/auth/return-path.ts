import { parseUrl } from '../../format/parse-url.ts';
import { firstStaffPath, staffArea, staffPath } from '../../routing/staff-paths.ts';

/** Stands for our own origin: whatever leads away from it is another's. */
const ownOrigin = 'https://own.invalid';

/**
 * Where to go after signing in: back to where one was, if that is a path of ours in the staff area.
 * @param from - what the address of the login page says, which anyone may have written
 * @returns a path with its search and hash
 */
export function returnPath(from: string | null): string {
  // Browsers read a backslash as a slash and leave control characters out.
  if (from === null || !from.startsWith(staffArea) || /[\\\p{Cc}]/u.test(from)) return firstStaffPath;
  const url = parseUrl(from, ownOrigin);
  if (!url) return firstStaffPath;
  const { origin, pathname, search, hash } = url;
  const isOurs = origin === ownOrigin && pathname.startsWith(staffArea) && !pathname.includes('//');
  const isLogin = pathname === staffPath.login || pathname.startsWith(`${staffPath.login}/`);
  return isOurs && !isLogin ? pathname + search + hash : firstStaffPath;
}

/**
 * The login page's address for someone who is to come back.
 * @param from - where they are
 */
export function loginAddress(from: { readonly pathname: string; readonly search: string; readonly hash: string }) {
  return `${staffPath.login}?${new URLSearchParams({ from: from.pathname + from.search + from.hash })}`;
}
