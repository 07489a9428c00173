import { bulkChange } from '@dune-tide/domain/limits';
import { createContext, use, useMemo, useState } from 'react';
import type { ListedLead } from '../lead.ts';

/** The leads that staff have selected, to change them together. */
export interface LeadSelection {
  /** In the order of the rows. */
  readonly leads: readonly ListedLead[];
  readonly has: (id: string) => boolean;
  /**
   * Selects a lead, or removes it from the selection.
   * @param isRange - whether all rows from the last toggled one to this one get the same state
   */
  readonly toggle: (id: string, isRange?: boolean) => void;
  /** Selects the loaded rows, as many as can be changed together. */
  readonly selectAll: () => void;
  readonly clear: () => void;
}

/**
 * Returns the selection among the rows of a list; a lead that is not loaded any more is not selected.
 * @param search - identifies the list; another one starts without a selection
 */
export function useLeadSelectionOf(rows: readonly ListedLead[], search: string): LeadSelection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [of, setOf] = useState(search);
  if (of !== search) {
    setOf(search);
    setIds(new Set());
  }
  const [last, setLast] = useState<string>();
  return useMemo(() => {
    const upToLimit = (wanted: Iterable<string>) => setIds(new Set([...wanted].slice(0, bulkChange.leads)));
    return {
      leads: rows.filter(({ id }) => ids.has(id)),
      has: (id) => ids.has(id),
      toggle: (id, isRange = false) => {
        const [from, to] = [isRange ? last : id, id].map((each) => rows.findIndex((row) => row.id === each));
        const range = from === undefined || to === undefined || from < 0 ? [id] : idsBetween(rows, from, to);
        const wanted = new Set(ids);
        for (const each of range) {
          if (ids.has(id)) wanted.delete(each);
          else wanted.add(each);
        }
        upToLimit(wanted);
        setLast(id);
      },
      selectAll: () => upToLimit(rows.map(({ id }) => id)),
      clear: () => setIds(new Set()),
    };
  }, [rows, ids, last]);
}

const idsBetween = (rows: readonly ListedLead[], one: number, other: number): string[] =>
  rows.slice(Math.min(one, other), Math.max(one, other) + 1).map(({ id }) => id);

/** Provided by the page for the checkboxes in the rows. */
export const LeadSelectionContext = createContext<LeadSelection>({
  leads: [],
  has: () => false,
  toggle: () => undefined,
  selectAll: () => undefined,
  clear: () => undefined,
});

export const useLeadSelection = (): LeadSelection => use(LeadSelectionContext);
