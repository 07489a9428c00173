/** Where the queue may live. */
export const backends = ['PostgreSQL', 'Redis'] as const;
export type Backend = (typeof backends)[number];

function refuse(why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(1);
}

/** Milliseconds between two looks at what is measured: rarely enough to take nothing from it. */
export const rarelyMs = 200;

/**
 * Reads a number of the environment, e.g. of `make bench-intake ROUNDS=3`. Ends the process when it is none above 0.
 */
export function positiveNumber(name: string, standard: number): number {
  const text = process.env[name];
  const value = text ? Number(text) : standard;
  if (!(value > 0 && Number.isFinite(value))) refuse(`${name} must be a number above 0.`);
  return value;
}

/**
 * Reads a choice of the environment, e.g. of `make bench-intake PARTS="lone kill"`. Ends the process when something else is
 * chosen.
 * @returns all when nothing is chosen
 */
export function chosen<Name extends string>(setting: string, known: readonly Name[]): readonly Name[] {
  const names = (process.env[setting] ?? '').split(/[\s,]+/).filter((name) => name !== '');
  const wanted = known.filter((name) => names.some((each) => each.toLowerCase() === name.toLowerCase()));
  if (wanted.length !== new Set(names).size) refuse(`${setting} takes ${known.join(', ')}.`);
  return wanted.length > 0 ? wanted : known;
}
