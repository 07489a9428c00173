import { leadDefinitions, valuesOf, workedKinds, type LeadRecord } from '@dune-tide/domain/leads';
import { searchedFields } from '@dune-tide/domain/leads/definition';
import { asciiForm, searchText } from '@dune-tide/domain/search';
import type { Knex } from 'knex';
import { advisoryLocks } from '../connection/index.ts';
import { clockStart, needsAnswer } from '../lead-expressions/index.ts';

/** Maximum number of leads that one transaction makes searchable, so that it ends within its time limit. */
export const leadsTogether = 500;

/** The number of leads that one step of `fillOlder` looks at. */
const sliceSize = 5_000;

/**
 * The age up to which `fillNewest` looks for leads, in seconds. A lead is committed within a few seconds of its time;
 * `fillOlder` finds those for which it took longer.
 */
const newestSeconds = 15;

type FoundLead = LeadRecord & { readonly id: string };

/**
 * Makes leads searchable (docs/PRODUCT.md, "Search"). Any number of workers can use it; only one of them writes at a time.
 * @param db - a pool
 */
export function leadSearchIndex(db: Knex) {
  return {
    /**
     * Makes leads searchable that have just arrived.
     * @returns the number of leads; `leadsTogether` if there may be more
     */
    async fillNewest(): Promise<number> {
      return db.transaction(async (transaction) => {
        const { rows } = await transaction.raw<{ rows: { isHeld: boolean }[] }>(
          `select pg_try_advisory_xact_lock(${advisoryLocks.searchIndex}) as "isHeld"`,
        );
        if (rows[0]?.isHeld !== true) return 0;
        return fill(
          transaction,
          `created_at > now() - interval '${newestSeconds} seconds'
           and not exists (select from lead_search where lead_id = leads.id)
           order by created_at desc limit ${leadsTogether}`,
        );
      });
    },

    /**
     * Makes leads searchable that were missed: no worker was running, their text was changed, or they were stored before
     * leads could be searched. Each call looks at some leads, in the descending order of their ids, which is mostly that
     * of their times.
     * @param before - the `next` of the previous call; undefined to start
     * @returns the number of leads, and where to continue; `next` is undefined after the last lead
     */
    async fillOlder(before?: string): Promise<{ readonly filled: number; readonly next: string | undefined }> {
      const { rows } = await db.raw<{ rows: { id: string; isMissing: boolean }[] }>(
        `select id, not exists (select from lead_search where lead_id = id) as "isMissing" from (
           select id from leads ${before === undefined ? '' : 'where id < :before'} order by id desc limit ${sliceSize}
         ) as slice`,
        { ...(before !== undefined && { before }) },
      );
      let filled = 0;
      const missing = rows.filter(({ isMissing }) => isMissing).map(({ id }) => id);
      for (let from = 0; from < missing.length; from += leadsTogether) {
        const ids = missing.slice(from, from + leadsTogether);
        filled += await db.transaction(async (transaction) => {
          await transaction.raw(`select pg_advisory_xact_lock(${advisoryLocks.searchIndex})`);
          return fill(transaction, `id = any (:ids::uuid[])`, { ids });
        });
      }
      return { filled, next: rows.length < sliceSize ? undefined : rows.at(-1)?.id };
    },
  };
}

/**
 * Writes the search texts of leads.
 * @param condition - selects the leads
 * @returns their number
 */
async function fill(
  transaction: Knex.Transaction,
  condition: string,
  bindings: Readonly<Record<string, Knex.Value>> = {},
): Promise<number> {
  const { rows: found } = await transaction.raw<{ rows: FoundLead[] }>(
    `select id, kind, email, answers as fields from leads where kind = any (:kinds) and ${condition}`,
    { ...bindings, kinds: [...workedKinds] },
  );
  if (found.length === 0) return 0;
  const texts = found.map((lead) => {
    const text = searchText(searchedFields(leadDefinitions[lead.kind], valuesOf(lead)));
    const words = asciiForm(text);
    return { id: lead.id, words, exact_words: text === words ? null : text };
  });
  // The lock makes a change of a lead wait, whose trigger then finds the row and updates its tags.
  await transaction.raw(
    `insert into lead_search (lead_id, created_at, email, tags, clock_start, words, exact_words)
     select leads.id, created_at, lower(email),
            lead_tags(kind, status, owner_id, spam_sign, answered_at, answered_before, created_at),
            case when ${needsAnswer} then ${clockStart} end,
            words, exact_words
     from jsonb_to_recordset(?::jsonb) as text (id uuid, words text, exact_words text)
     join leads on leads.id = text.id
     order by leads.id
     for share of leads
     on conflict (lead_id) do nothing`,
    [JSON.stringify(texts)],
  );
  return found.length;
}
