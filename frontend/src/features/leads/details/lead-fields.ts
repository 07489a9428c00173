import { leadDefinitions } from '@dune-tide/domain/leads';
import type { Display } from '@dune-tide/domain/leads/declaration';
import { detailsOf } from '@dune-tide/domain/leads/definition';
import type { Lead } from '@dune-tide/domain/responses/lead';

export interface ShownField {
  readonly label: string;
  readonly display: Display | 'time';
  /** Null if the visitor left it empty. */
  readonly value: string | null;
}

/** Returns what a visitor sent, with the labels of its form, and when. */
export const leadFields = (lead: Lead): readonly ShownField[] => [
  ...detailsOf(leadDefinitions[lead.kind], lead),
  { label: 'Received', display: 'time', value: lead.createdAt },
  ...('updatedAt' in lead ? [{ label: 'Updated', display: 'time', value: lead.updatedAt } as const] : []),
];
