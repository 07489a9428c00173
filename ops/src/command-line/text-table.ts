import { terminalLine } from '@dune-tide/domain/lines';

/**
 * Formats rows of cells as lines with aligned columns. Each row is one line: visitors, staff and mail servers choose some
 * of the texts.
 */
export function textTable(texts: readonly (readonly string[])[]): string[] {
  const rows = texts.map((row) => row.map(terminalLine));
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join('  '),
  );
}
