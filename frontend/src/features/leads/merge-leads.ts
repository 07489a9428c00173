/** Where a lead stands among all: newest first, and the ids decide among leads of one millisecond. */
export interface LeadPlace {
  readonly id: string;
  /** ISO 8601 in UTC with milliseconds, which as texts are in the order of time. */
  readonly createdAt: string;
}

/** What is loaded of one source, which gives its leads newest first. */
export interface LoadedLeads<Lead extends LeadPlace> {
  readonly leads: readonly Lead[];
  /** Whether the source has older ones, or may have. */
  readonly hasMore: boolean;
}

/** The leads of several sources as one list. */
export interface MergedLeads<Source extends string, Lead extends LeadPlace> {
  /** The rows that are certain: nothing that is still to be loaded belongs before or among them. */
  readonly rows: readonly Lead[];
  /** What to load for more rows, at once. Empty when all rows are there. */
  readonly next: readonly Source[];
}

/** A source with fewer rows left than this is loaded along with the one that the list waits for. */
const fewLeft = 50;

/** Newest first, as the server orders each source. */
export function compareLeads(a: LeadPlace, b: LeadPlace): number {
  if (a.createdAt !== b.createdAt) return a.createdAt > b.createdAt ? -1 : 1;
  if (a.id === b.id) return 0;
  return a.id > b.id ? -1 : 1;
}

/**
 * Merges what is loaded of several sources (docs/PRODUCT.md, "Leads page").
 * @param sources - each in the order of `compareLeads`
 */
export function mergeLeads<Source extends string, Lead extends LeadPlace>(
  sources: Readonly<Record<Source, LoadedLeads<Lead>>>,
): MergedLeads<Source, Lead> {
  const queues = Object.entries<LoadedLeads<Lead>>(sources).map(([source, { leads, hasMore }]) => ({
    source: source as Source,
    leads,
    hasMore,
    taken: 0,
  }));
  const rows: Lead[] = [];

  for (;;) {
    // What comes next from this source is not known, and may be newer than all that the others have.
    if (queues.some(({ leads, hasMore, taken }) => hasMore && taken === leads.length)) break;
    let newest: (typeof queues)[number] | undefined;
    let newestLead: Lead | undefined;
    for (const queue of queues) {
      const lead = queue.leads[queue.taken];
      if (lead === undefined || (newestLead !== undefined && compareLeads(newestLead, lead) <= 0)) continue;
      newest = queue;
      newestLead = lead;
    }
    if (newest === undefined || newestLead === undefined) break;
    rows.push(newestLead);
    newest.taken += 1;
  }

  const next = queues.filter(({ leads, hasMore, taken }) => hasMore && leads.length - taken < fewLeft);
  return { rows, next: next.map(({ source }) => source) };
}
