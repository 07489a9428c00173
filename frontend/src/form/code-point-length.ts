/**
 * The length that the rules count: Unicode code points, not UTF-16 units (an emoji is one).
 * A lone surrogate counts as one, as it does in the API.
 */
export function codePointLength(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}
