/**
 * Returns a hash that reveals whether another program has changed a prerendered page. Attributes do not count, because
 * React does not change them during hydration.
 * @param elements - number of elements on the page
 * @param text - text of all of them
 */
export function fingerprint(elements: number, text: string): string {
  let hash = elements;
  for (let index = 0; index < text.length; index += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
  return hash.toString(36);
}
