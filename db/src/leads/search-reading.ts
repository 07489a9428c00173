import { maxCountedMatches } from '@dune-tide/domain/limits';
import type { Knex } from 'knex';

/**
 * Reads by the index that has the leads in their order, or by the index of words. PostgreSQL can estimate neither how
 * many leads have a status nor LIKE, and would read all leads of a list to sort them.
 */
export type Read = <Row>(way: Way, sql: string, values: Readonly<Record<string, Knex.Value>>) => Promise<Row[]>;

type Way = 'order' | 'words';

/** The settings of PostgreSQL that make other ways to read expensive. */
const otherWays: Readonly<Record<Way, readonly string[]>> = {
  order: ['enable_seqscan', 'enable_bitmapscan', 'enable_sort'],
  words: ['enable_seqscan', 'enable_indexscan'],
};
const settings = new Set(Object.values(otherWays).flat());

/** Reads within one transaction, because each transaction and each change of the way takes a round trip. */
export function reading<Result>(db: Knex, work: (read: Read) => Promise<Result>): Promise<Result> {
  return db.transaction((transaction) => {
    let current: Way | undefined;
    return work(async <Row>(way: Way, sql: string, values: Readonly<Record<string, Knex.Value>>) => {
      if (way !== current) {
        const changes = [...settings].map((name) => {
          return `set_config('${name}', '${otherWays[way].includes(name) ? 'off' : 'on'}', true)`;
        });
        await transaction.raw(`select ${changes.join(', ')}`);
        current = way;
      }
      const { rows } = await transaction.raw<{ rows: Row[] }>(sql, values);
      return rows;
    });
  });
}

/** Returns a statement that counts rows, up to one more than `maxCountedMatches`. */
export const countOf = (rows: string): string =>
  `select count(*)::integer as count from (${rows} limit ${maxCountedMatches + 1}) as found`;
export const countUpTo = ([row]: readonly { readonly count: number }[]): number => row?.count ?? 0;
