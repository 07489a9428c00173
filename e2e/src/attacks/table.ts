/**
 * Prints a table of what a run has seen if ATTACKS_TABLE is set. `make test` shows the tables that a suite prints.
 * @param head - the names of the columns
 */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  if (!process.env['ATTACKS_TABLE']) return;
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  process.stdout.write(`\n${lines.join('\n')}\n`);
}
