/** Returns the code of a system or library error, e.g. ENOENT (errno(3)), if it has one. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/** Checks whether an error means that a file does not exist. Often this is expected, unlike other read errors. */
export function isMissingFile(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}
