/**
 * Returns a common table expression that counts an act of a person on leads, as the relation `acted` with the columns
 * `id` and `activity`. Each entry of the history stores the number of its act, so that a reply can be compared with
 * what its author saw (docs/PRODUCT.md, "Replies"). The update locks the lead, so the numbers have the order in which
 * the acts are committed.
 * @param leadIds - an SQL array of ids
 */
export const countActivity = (leadIds: string): string => `
  acted as (update leads set activity = activity + 1 where id = any (${leadIds}) returning id, activity)`;
