import type { BulkChange } from './leads-api.ts';
import type { ListedLead } from './lead.ts';
import { unanswered } from './lead-filter.ts';

/**
 * Returns the changes that undo a bulk change of statuses or owners; empty for other changes.
 * @param before - the leads as they were
 */
export function undoing(before: readonly ListedLead[], { status, ownerId }: Omit<BulkChange, 'ids'>): BulkChange[] {
  const groups = new Map<string, { readonly change: Omit<BulkChange, 'ids'>; readonly ids: string[] }>();
  for (const lead of before) {
    const owner = lead.owner?.id ?? null;
    const change = {
      ...(status !== undefined && lead.status !== status && { status: lead.status }),
      // The change of the status away from new has answered it.
      ...(status !== undefined &&
        lead.status === 'new' &&
        status !== 'new' &&
        unanswered.some((each) => each === lead.response) && { answered: false }),
      ...(ownerId !== undefined && owner !== ownerId && { ownerId: owner }),
    };
    const key = JSON.stringify(change);
    if (key === '{}') continue;
    const group = groups.get(key) ?? { change, ids: new Array<string>() };
    group.ids.push(lead.id);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ change, ids }) => ({ ids, ...change }));
}
