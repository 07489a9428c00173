/**
 * Returns a select list that names each column after the member of its row.
 * @param columns - an SQL expression for each member; with `satisfies Record<keyof Row, string>`, a renamed member fails
 *   the type check
 */
export function selectList(columns: Readonly<Record<string, string>>): string {
  return Object.entries(columns)
    .map(([member, expression]) => `${expression} as "${member}"`)
    .join(', ');
}
