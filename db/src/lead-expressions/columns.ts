import { openStatuses } from '@dune-tide/domain/leads';

/** An account and its name. */
export interface Person {
  readonly id: string;
  readonly name: string;
}

/** Returns a list of texts in SQL. The values are constants of the product and have no quotes. */
export const quoted = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ');

/** The status of a lead. Contact messages and applications that were never changed can have none; they are new. */
export const status = `coalesce(status, case when kind <> 'portfolio_request' then 'new' end)`;

/** Whether a lead still needs work. */
export const isOpen = `coalesce(status, 'new') in (${quoted(openStatuses)})`;

/** The owner of a lead as an object with `id` and `name`; null without an owner. */
export const owner = `(select jsonb_build_object('id', staff.id, 'name', staff.name) from staff where staff.id = owner_id)`;

/** The name of the person who sent a lead; a portfolio request has only an address. */
export const leadName = `coalesce(
  answers ->> 'name', nullif(concat_ws(' ', answers ->> 'firstName', answers ->> 'lastName'), ''), email
)`;
