/** The length of the kept log, in characters. */
const keptLength = 10_000;

let kept = '';

/** Keeps log lines of the product, or another hint, for the report of the running test. */
export function keepLog(text: string): void {
  kept = (kept + text).slice(-keptLength);
}

/** Returns the whole lines that were kept since the last call. */
export function takeLog(): string {
  const taken = kept.length < keptLength ? kept : kept.slice(kept.indexOf('\n') + 1);
  kept = '';
  return taken;
}
