/** The length of a value as the JSON body of a request, in bytes. */
export function bodyBytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}
