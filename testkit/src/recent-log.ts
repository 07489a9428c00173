/** The length of the kept log, in characters. */
const keptLength = 10_000;

let kept = '';

/** Keeps log lines of the product, or another hint, for the report of the running test. */
export function keepLog(text: string): void {
  kept = (kept + text).slice(-keptLength);
}

/** Returns what was kept since the last call. */
export function takeLog(): string {
  const taken = kept;
  kept = '';
  return taken;
}
