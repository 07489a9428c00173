/** The sort key of a lead: newest first, then by id for equal times. */
export interface LeadPlace {
  readonly id: string;
  /** ISO 8601 in UTC with milliseconds, so that the text order is the time order. */
  readonly createdAt: string;
}

/** The loaded leads of one source, newest first. */
export interface LoadedLeads<Lead extends LeadPlace> {
  readonly leads: readonly Lead[];
  /** Whether the source has, or may have, older leads. */
  readonly hasMore: boolean;
}

/** The leads of several sources, merged. */
export interface MergedLeads<Source extends string, Lead extends LeadPlace> {
  /** The rows whose position is final: no lead that is still to be loaded sorts before them. */
  readonly rows: readonly Lead[];
  /** The sources to load concurrently for more rows; empty when all rows are loaded. */
  readonly next: readonly Source[];
}

/** A source with fewer remaining rows is loaded together with the one that blocks the list. */
const fewLeft = 50;

/** Compares two leads in the server's order, newest first. */
export function compareLeads(a: LeadPlace, b: LeadPlace): number {
  if (a.createdAt !== b.createdAt) return a.createdAt > b.createdAt ? -1 : 1;
  if (a.id === b.id) return 0;
  return a.id > b.id ? -1 : 1;
}

/**
 * Merges the loaded leads of several sources (docs/PRODUCT.md, "Leads page").
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
    // The next lead of this source is unknown and may be newer than the others'.
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
