/** The entries of the browser's storage that stay after a sign-out: choices that are about this browser, not about data. */
const lastingEntries = ['lead-keys', 'roles-note'] as const;
export type LastingEntry = (typeof lastingEntries)[number];

/** Runs work that may empty the browser's storage, and then restores the entries that stay. */
export async function keepingChoices<Result>(work: () => Promise<Result>): Promise<Result> {
  const kept = lastingEntries.map((key) => [key, read(key)] as const);
  try {
    return await work();
  } finally {
    for (const [key, value] of kept) if (value !== null && read(key) === null) restore(key, value);
  }
}

/** @returns null without such an entry, or if the user's settings block the storage */
function read(key: LastingEntry): string | null {
  try {
    return window.localStorage.getItem(key);
  } catch {
    return null;
  }
}

function restore(key: LastingEntry, value: string): void {
  try {
    window.localStorage.setItem(key, value);
  } catch {
    // The choice is then made again.
  }
}
