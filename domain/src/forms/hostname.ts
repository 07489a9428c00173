/** Browsers and Node.js have it, but this package sees only the types of ECMAScript, which do not declare it. */
declare const URL: new (address: string) => { readonly hostname: string };

/**
 * Returns the host of a URL as browsers read it: in lower case, with other alphabets as Punycode (WHATWG URL,
 * "domain to ASCII").
 * @returns undefined for an invalid URL
 */
export function hostnameOf(address: string): string | undefined {
  try {
    return new URL(address).hostname;
  } catch {
    return undefined;
  }
}
