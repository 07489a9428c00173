/**
 * Parses a URL. The oldest supported browsers lack `URL.canParse` and `URL.parse`.
 * @param base - the base of relative URLs
 * @returns undefined for an invalid URL
 */
export function parseUrl(address: string, base?: string): URL | undefined {
  try {
    return new URL(address, base);
  } catch {
    return undefined;
  }
}
