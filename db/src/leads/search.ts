import { searchTerms, type SearchTerm } from '@dune-tide/domain/search';
import type { Knex } from 'knex';
import { leadColumns, type StoredLead } from './lists.ts';
import { inLeads, orderOf, type LeadQuery, type QueryPlace } from './search-conditions.ts';
import { countLeads, pageOfLeads } from './search-lists.ts';
import { reading } from './search-reading.ts';
import { countSearched, searchedIds } from './search-words.ts';

/**
 * Finds leads for staff, of all kinds but portfolio requests. The time of a call grows neither with the number of leads
 * nor with the depth of the page.
 * @param db - a pool
 */
export function leadSearch(db: Knex) {
  return {
    /**
     * Returns a page of the leads.
     * @param after - the last lead of the previous page; undefined for the first page
     */
    async page(query: LeadQuery, limit: number, after?: QueryPlace): Promise<StoredLead[]> {
      const terms = searchTerms(query.words ?? '');
      if (isOfLists(query, terms)) return pageOfLeads(db, query, limit, after);
      return reading(db, async (read) => {
        const ids = await searchedIds(read, query, terms, limit, after);
        if (ids.length === 0) return [];
        const leads = `select ${leadColumns} from leads where id = any (:ids) ${orderOf(inLeads, query)}`;
        return read<StoredLead>('order', leads, { ids });
      });
    },

    /** Returns the place of a lead in the order of a query. */
    placeOf({ sort }: LeadQuery, { id, createdAt, dueAt }: StoredLead): QueryPlace {
      return { id, createdAt: sort === 'due' ? (dueAt ?? createdAt) : createdAt };
    },

    /** Returns the number of the leads, at most one more than `maxCountedMatches`. */
    async count(query: LeadQuery): Promise<number> {
      const terms = searchTerms(query.words ?? '');
      return isOfLists(query, terms) ? countLeads(db, query) : reading(db, (read) => countSearched(read, query, terms));
    },
  };
}

/** Returns whether `leads` has the leads of a query in lists, so that new ones are found before they are searchable. */
const isOfLists = ({ email }: LeadQuery, terms: readonly SearchTerm[]): boolean =>
  terms.length === 0 && email === undefined;
