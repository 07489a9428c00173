import { readFile, writeFile } from 'node:fs/promises';
import { createProgress } from '@dune-tide/platform/progress';
import type { Spread } from './statistics.ts';

/** A measured figure and its goal. */
export interface Goal {
  readonly what: string;
  readonly goal: string;
  readonly found: string;
  readonly isMet: boolean;
}

const progress = createProgress();

/** Shows the current measurement on a terminal until the next `say`. */
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

/** Formats a Markdown table with aligned columns, like `npm run format`. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((name, column) => Math.max(3, name.length, ...rows.map((row) => (row[column] ?? '').length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)];
}

/** Formats the goals and their results. */
export function goalTable(goals: readonly Goal[]): string[] {
  return table(
    ['', 'what', 'goal', 'found'],
    goals.map(({ what, goal, found, isMet }) => [isMet ? '✓' : '✗', what, goal, found]),
  );
}

/**
 * Prints the results. With RECORD=1, it also replaces the previous results in a document.
 * @param section - the name in the markers of the section
 * @param machine - the description of the machine
 * @throws if the document does not have the markers
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
  if (from < 0 || to < from) throw new Error(`docs/${document}.md does not have the markers of ${section}`);
  await writeFile(file, `${kept.slice(0, from + begin.length)}\n\n${text}\n\n${kept.slice(to)}`);
}
