/** Returns the length of a value as a JSON request body, in bytes. */
export function bodyBytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}
