/** The activity of leads whose history was shown in this tab, by id. */
const shown = new Map<string, number>();

/** Records that the history of a lead is shown. */
export function noteShownHistory(leadId: string, entries: readonly { readonly activity: number }[]): void {
  // A server of 0.3.0 counts none.
  shown.set(leadId, Math.max(shownActivity(leadId), ...entries.map(({ activity }) => activity)) || 0);
}

/** Returns the highest activity in the history of a lead as it was shown; 0 if it was not. */
export const shownActivity = (leadId: string): number => shown.get(leadId) ?? 0;
