import { readFile, writeFile } from 'node:fs/promises';
import { createProgress } from '@dune-tide/platform/progress';
import type { Spread } from './statistics.ts';

/** A figure beside what it is to be. */
export interface Goal {
  readonly what: string;
  readonly goal: string;
  readonly found: string;
  readonly isMet: boolean;
}

const progress = createProgress();

/** Shows on a terminal what is being measured, until the next `say`. */
export const showProgress = progress.show;

export function say(line: string): void {
  progress.clear();
  process.stdout.write(`${line}\n`);
}

/** @returns e.g. `1.21 (1.15–1.30)` */
export function spreadText({ median, min, max }: Spread, digits: number): string {
  const text = (value: number): string => value.toFixed(digits);
  return min === max ? text(median) : `${text(median)} (${text(min)}–${text(max)})`;
}

/** A table in Markdown, its columns aligned as Prettier does. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((name, column) => Math.max(3, name.length, ...rows.map((row) => (row[column] ?? '').length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)];
}

/** The goals with what came of them. */
export function goalTable(goals: readonly Goal[]): string[] {
  return table(
    ['', 'what', 'goal', 'found'],
    goals.map(({ what, goal, found, isMet }) => [isMet ? '✓' : '✗', what, goal, found]),
  );
}

/**
 * Prints what was measured and, with RECORD=1, keeps it in a document in place of what was kept before.
 * @param section - the name between the marks of its place there
 * @param machine - where it was measured
 * @throws when the document has no such place
 */
export async function report(
  section: string,
  machine: readonly string[],
  lines: readonly string[],
  document: 'PERFORMANCE' | 'SCALING' = 'PERFORMANCE',
): Promise<void> {
  const text = [...lines, '', `Measured on ${machine.join('; ')}.`].join('\n');
  say(`\n${text}\n`);
  if (process.env['RECORD'] !== '1') return;
  const [begin, end] = [`<!-- ${section} -->`, `<!-- /${section} -->`];
  const file = new URL(`../../../docs/${document}.md`, import.meta.url);
  const kept = await readFile(file, 'utf8');
  const [from, to] = [kept.indexOf(begin), kept.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/${document}.md has no place for ${section}`);
  await writeFile(file, `${kept.slice(0, from + begin.length)}\n\n${text}\n\n${kept.slice(to)}`);
}
