/**
 * Reads an address; `URL.canParse` and `URL.parse` are newer than the oldest browsers.
 * @param base - what a relative address is relative to
 * @returns undefined for what is no address
 */
export function parseUrl(address: string, base?: string): URL | undefined {
  try {
    return new URL(address, base);
  } catch {
    return undefined;
  }
}
