/**
 * Returns the statements that add CHECK constraints to a table.
 * @param conditions - the condition of each constraint, by its name
 */
export function checks(table: string, conditions: Readonly<Record<string, string>>): string[] {
  return Object.entries(conditions).map(
    ([name, condition]) => `alter table ${table} add constraint ${name} check (${condition})`,
  );
}

/** Returns the condition that a text has a length between two numbers of characters. */
export const lengthOf = (column: string, least: number, most: number): string =>
  `char_length(${column}) between ${least} and ${most}`;

/** Returns the statement that lets only the owner call a function, and the role `app` if the migration grants it. */
export const hidden = (signature: string): string => `revoke execute on function ${signature} from public`;
