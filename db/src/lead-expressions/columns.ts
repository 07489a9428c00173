import { clockedKinds, openStatuses } from '@dune-tide/domain/leads';

/** An account and its name. */
export interface Person {
  readonly id: string;
  readonly name: string;
}

/** Returns a list of texts in SQL. The values are constants of the product and have no quotes. */
export const quoted = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ');

/**
 * Returns the expressions for one row of a statement that reads several rows of `leads`, such as a trigger's.
 * @param row - the name of the row and a dot; empty if the names of the columns are unambiguous
 */
export function leadExpressions(row: `${string}.` | '') {
  return {
    /** Whether a lead has a clock. */
    hasClock: `${row}kind in (${quoted(clockedKinds)}) and ${row}spam_sign is null`,
    /** Whether a lead was answered, with or without a known time. */
    isAnswered: `${row}answered_at is not null or coalesce(${row}created_at < ${row}answered_before, false)`,
    /** The time at which the clock started: when the lead was received or released. */
    clockStart: `coalesce(${row}clock_started_at, ${row}created_at)`,
    /** The status of a lead. Contact messages and applications that were never changed can have none; they are new. */
    status: `coalesce(${row}status, case when ${row}kind <> 'portfolio_request' then 'new' end)`,
    /** The owner of a lead as an object with `id` and `name`; null without an owner. */
    owner: `(
      select jsonb_build_object('id', staff.id, 'name', staff.name) from staff where staff.id = ${row}owner_id
    )`,
  };
}

export const { status, owner } = leadExpressions('');

/** The status of a lead whose kind has one. */
export const workStatus = `coalesce(status, 'new')`;

/** Whether a lead still needs work. */
export const isOpen = `${workStatus} in (${quoted(openStatuses)})`;

/** The name of the person who sent a lead; a portfolio request has only an address. */
export const leadName = `coalesce(
  answers ->> 'name', nullif(concat_ws(' ', answers ->> 'firstName', answers ->> 'lastName'), ''), email
)`;
