import type { ComponentType, ReactNode } from 'react';
import type { HistoryEntry } from './leads-api.ts';

type EmailEntry = Extract<HistoryEntry, { readonly kind: 'email' }>;

/** A component that shows the state of an email and the actions on it. */
export type EmailFate = ComponentType<{
  readonly email: Omit<EmailEntry, 'kind' | 'at' | 'actor'> & { readonly leadId: string };
  /** Replaces the name of its kind. */
  readonly label?: ReactNode;
  /** More actions on a failed email. */
  readonly actions?: ReactNode;
}>;
