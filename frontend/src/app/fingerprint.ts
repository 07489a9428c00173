/**
 * Tells a painted page from one that another program has changed. Attributes do not count: React leaves them as they are.
 * @param elements - how many elements there are
 * @param text - of all of them
 */
export function fingerprint(elements: number, text: string): string {
  let hash = elements;
  for (let index = 0; index < text.length; index += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
  return hash.toString(36);
}
