import type { ComponentType } from 'react';
import type { HistoryEntry } from './leads-api.ts';

type EmailEntry = Extract<HistoryEntry, { readonly kind: 'email' }>;

/** A component that shows the fate of an email. */
export type EmailFate = ComponentType<{
  readonly email: Omit<EmailEntry, 'kind' | 'at' | 'actor'> & { readonly leadId: string };
}>;
