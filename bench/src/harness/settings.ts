/** The backends of the queue. */
export const backends = ['PostgreSQL', 'Redis'] as const;
export type Backend = (typeof backends)[number];

function refuse(why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(1);
}

/** Milliseconds between two polls during a measurement. More frequent polls would affect it. */
export const rarelyMs = 200;

/**
 * Reads a number from the environment, e.g. of `make bench-intake ROUNDS=3`. Ends the process if it is not above 0.
 */
export function positiveNumber(name: string, standard: number): number {
  const text = process.env[name];
  const value = text ? Number(text) : standard;
  if (!(value > 0 && Number.isFinite(value))) refuse(`${name} must be a number above 0.`);
  return value;
}

/**
 * Reads a selection from the environment, e.g. of `make bench-intake PARTS="lone memory"`. Ends the process if a name is
 * unknown.
 * @returns all names if the variable is empty
 */
export function chosen<Name extends string>(setting: string, known: readonly Name[]): readonly Name[] {
  const names = (process.env[setting] ?? '').split(/[\s,]+/).filter((name) => name !== '');
  const wanted = known.filter((name) => names.some((each) => each.toLowerCase() === name.toLowerCase()));
  if (wanted.length !== new Set(names).size) refuse(`${setting} takes ${known.join(', ')}.`);
  return wanted.length > 0 ? wanted : known;
}
