import { useSelector } from 'react-redux';
import { workedKinds } from '@dune-tide/domain/leads';
import { leadsApi, type LeadTotals } from '../leads-api.ts';

type ApiState = Parameters<ReturnType<typeof leadsApi.endpoints.leadTotals.select>>[0];

/**
 * Returns the number of leads that have arrived since the list was loaded from its start.
 * @param totals - the current totals; undefined until they are known
 * @param before - the totals that count while the list is loading; by default the current ones, so that no lead is new
 */
export function useNewLeadCount(totals: LeadTotals | undefined, before: LeadTotals | undefined = totals): number {
  const known = useSelector((state: ApiState) => leadsApi.endpoints.leadTotals.select()(state).data) ?? before;
  if (totals === undefined || known === undefined) return 0;
  // The list can be newer than the announcement, and leads can be erased.
  return workedKinds.reduce((sum, kind) => sum + Math.max(0, totals[kind] - known[kind]), 0);
}
