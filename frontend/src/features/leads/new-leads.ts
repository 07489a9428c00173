import { useSelector } from 'react-redux';
import { type ListedKind, listedKinds } from './lead.ts';
import { leadsApi } from './leads-api.ts';

type Totals = Readonly<Record<ListedKind, number>>;

type ApiState = Parameters<ReturnType<typeof leadsApi.endpoints.leadList.select>>[0];

/**
 * Returns the number of leads that have arrived since their list was loaded from its start.
 * @param totals - the current totals; undefined until they are known
 * @param before - earlier totals, which count for lists that are not loaded; without them, such a list has no new leads
 */
export function useNewLeadCount(totals: Totals | undefined, before: Totals | undefined = totals): number {
  return useSelector((state: ApiState) =>
    totals === undefined
      ? 0
      : listedKinds.reduce((sum, kind) => {
          const { data } = leadsApi.endpoints.leadList.select(kind)(state);
          const known = data?.pages[0]?.total ?? before?.[kind] ?? totals[kind];
          // A list can be newer than the announcement, and leads can be erased.
          return sum + Math.max(0, totals[kind] - known);
        }, 0),
  );
}
