import { createContext, use, useEffect, useRef } from 'react';
import { useRemoveLeadMarkMutation } from './leads-api.ts';

/** The ids of the leads that are marked for the user; undefined until they are announced. */
export const LeadMarksContext = createContext<ReadonlySet<string> | undefined>(undefined);

/** Returns whether a lead is marked for the user (docs/PRODUCT.md, "Notifications"). */
export const useIsMarked = (id: string): boolean => use(LeadMarksContext)?.has(id) === true;

/** Removes the mark of a lead when it is opened. One that is set while the lead is open stays. */
export function useRemoveMark(id: string | undefined): void {
  const marks = use(LeadMarksContext);
  const [remove] = useRemoveLeadMarkMutation();
  const opened = useRef<string>(undefined);
  useEffect(() => {
    if (id === undefined) opened.current = undefined;
    if (id === undefined || marks === undefined || opened.current === id) return;
    opened.current = id;
    // After a failure, the mark stays until the lead is opened again.
    if (marks.has(id)) void remove(id);
  }, [id, marks, remove]);
}
