/** @returns the code of a system's or a library's error, e.g. ENOENT (errno(3)); undefined where there is none */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/** Whether an error says that there is no such file, which is often no fault, unlike one that cannot be read. */
export function isMissingFile(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}
