import { leadDefinitions, valuesOf, workedKinds, type LeadRecord } from '@dune-tide/domain/leads';
import { searchedFields } from '@dune-tide/domain/leads/definition';
import { indexedForm, searchText, searchVersion } from '@dune-tide/domain/search';
import type { Knex } from 'knex';
import { advisoryLocks } from '../connection/index.ts';
import { clockStart, needsAnswer, quoted } from '../lead-expressions/index.ts';

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

/** The rows of `leads` that are searched. */
const isWorked = `kind in (${quoted(workedKinds)})`;

/** A build: writing the search texts of all leads after an upgrade or a restore. It may be interrupted and repeated. */
export interface SearchBuild {
  readonly id: string;
}

/** The leads that a step has looked at. */
interface Step {
  /** The number of leads that became searchable. */
  readonly filled: number;
  /** The number of leads that are now searchable, with those that were before. */
  readonly searchable: number;
  /** Where to continue; undefined after the last lead. */
  readonly next: string | undefined;
}

/**
 * Makes leads searchable (docs/PRODUCT.md, "Search"). Any number of workers can use it; only one of them writes at a time.
 * @param db - a pool
 */
export function leadSearchIndex(db: Knex) {
  /** Fills in one transaction, unless another worker is filling. @returns the number of leads */
  const fillNow = (condition: string): Promise<number> =>
    db.transaction(async (transaction) => {
      const { rows } = await transaction.raw<{ rows: { isHeld: boolean }[] }>(
        `select pg_try_advisory_xact_lock(${advisoryLocks.searchIndex}) as "isHeld"`,
      );
      return rows[0]?.isHeld === true ? fill(transaction, condition) : 0;
    });

  return {
    /**
     * Makes leads searchable that have just arrived.
     * @returns the number of leads; `leadsTogether` if there may be more
     */
    fillNewest: () =>
      fillNow(
        `id in (
           select id from leads
           where ${isWorked} and created_at > now() - interval '${newestSeconds} seconds'
             and not exists (select from lead_search where lead_id = leads.id)
           order by created_at desc limit ${leadsTogether}
         )`,
      ),

    /**
     * Writes the search texts of leads again whose texts have changed.
     * @returns the number of leads; `leadsTogether` if there may be more
     */
    fillChanged: () =>
      fillNow(`id in (select lead_id from lead_search where version = 0 order by lead_id limit ${leadsTogether})`),

    /**
     * Makes leads searchable that were missed: no worker was running, or they were stored before leads could be searched.
     * Each call looks at some leads, in the descending order of their ids, which is mostly that of their times.
     * @param before - the `next` of the previous call; undefined to start
     * @param build - also writes texts of other versions again
     */
    async fillOlder(before?: string, build?: SearchBuild): Promise<Step> {
      const isOfVersion = build === undefined ? '' : `and version = ${searchVersion}`;
      const { rows } = await db.raw<{ rows: { id: string; isWorked: boolean; isMissing: boolean }[] }>(
        `select id, ${isWorked} as "isWorked",
                not exists (select from lead_search where lead_id = id ${isOfVersion}) as "isMissing"
         from (
           select id, kind from leads ${before === undefined ? '' : 'where id < :before'}
           order by id desc limit ${sliceSize}
         ) as slice`,
        { ...(before !== undefined && { before }) },
      );
      let filled = 0;
      const worked = rows.filter((row) => row.isWorked);
      const missing = worked.filter(({ isMissing }) => isMissing).map(({ id }) => id);
      for (let from = 0; from < missing.length; from += leadsTogether) {
        const ids = missing.slice(from, from + leadsTogether);
        filled += await db.transaction(async (transaction) => {
          await transaction.raw(`select pg_advisory_xact_lock(${advisoryLocks.searchIndex})`);
          return fill(transaction, `id = any (:ids::uuid[])`, { ids });
        });
      }
      return { filled, searchable: worked.length, next: rows.length < sliceSize ? undefined : rows.at(-1)?.id };
    },

    /** Returns the build that has not been completed, and starts one if there has been none; undefined if all is done. */
    async unfinishedBuild(): Promise<SearchBuild | undefined> {
      const { rows } = await db.raw<{ rows: (SearchBuild & { isCompleted: boolean })[] }>(
        `with added as (
           insert into lead_search_builds (version)
           select ${searchVersion} where not exists (select from lead_search_builds where version = ${searchVersion})
           on conflict do nothing
           returning id, false as "isCompleted"
         )
         select * from added
         union all
         select id, completed_at is not null from lead_search_builds where version = ${searchVersion}`,
      );
      const [build] = rows;
      return build && !build.isCompleted ? { id: build.id } : undefined;
    },

    /**
     * Records how far a build is. Does nothing if a restore has replaced the leads since.
     * @param leads - the number of leads that are searchable
     */
    async recordBuild({ id }: SearchBuild, leads: number, isCompleted: boolean): Promise<void> {
      await db.raw(
        `update lead_search_builds set
           leads = greatest(leads, :leads), completed_at = case when :isCompleted then now() else completed_at end
         where id = :id`,
        { id, leads, isCompleted },
      );
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
  // The lock makes a change of a lead wait, whose trigger then finds the row and updates it.
  const { rows: found } = await transaction.raw<{ rows: FoundLead[] }>(
    `select id, kind, email, answers as fields from leads where ${isWorked} and ${condition} order by id for share`,
    bindings,
  );
  if (found.length === 0) return 0;
  const texts = found.map((lead) => {
    const text = searchText(searchedFields(leadDefinitions[lead.kind], valuesOf(lead)));
    const words = indexedForm(text);
    return { id: lead.id, words, exact_words: text === words ? null : text };
  });
  await transaction.raw(
    `insert into lead_search as stored (lead_id, created_at, email, tags, clock_start, words, exact_words, version)
     select leads.id, created_at, lower(email),
            lead_tags(kind, status, owner_id, spam_sign, answered_at, answered_before, created_at),
            case when ${needsAnswer} then ${clockStart} end,
            words, exact_words, ${searchVersion}
     from jsonb_to_recordset(?::jsonb) as text (id uuid, words text, exact_words text)
     join leads on leads.id = text.id
     on conflict (lead_id) do update set
       email = excluded.email, words = excluded.words, exact_words = excluded.exact_words, version = excluded.version
     where stored.version <> excluded.version`,
    [JSON.stringify(texts)],
  );
  return found.length;
}

/**
 * Returns the progress of the build as an SQL expression, which costs the same at any number of leads: null if every lead
 * is searchable by the text of this version.
 */
export const searchBuildProgress = `(
  select jsonb_build_object('indexed', least(coalesce(build.leads, 0), total.count), 'total', total.count)
  from (select coalesce(sum(count), 0)::integer as count from lead_counts where ${isWorked}) as total
  left join lead_search_builds build on version = ${searchVersion}
  where completed_at is null and total.count > 0
)`;
