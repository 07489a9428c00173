/**
 * Returns the length that the rules count, in Unicode code points instead of UTF-16 units (an emoji counts as one). A
 * lone surrogate counts as one, as in the API.
 */
export function codePointLength(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}
