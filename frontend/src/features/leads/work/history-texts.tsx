import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { statusLabel } from '../lead-labels.ts';
import type { HistoryEntry } from '../leads-api.ts';

/** The text of a note. */
export const NoteText = styled('div')({
  marginTop: '0.25rem',
  padding: '0.5rem 0.75rem',
  borderRadius: 6,
  background: 'color-mix(in srgb, var(--dt-palette-secondary-main) 9%, transparent)',
  whiteSpace: 'pre-wrap',
  unicodeBidi: 'plaintext',
  textAlign: 'start',
});

/** An entry that has no text of a person. */
export type EventEntry = Exclude<HistoryEntry, { readonly kind: 'email' | 'reply' | 'note' }>;

/** Returns a sentence about an entry. */
export function eventText(entry: EventEntry): ReactNode {
  const who = <bdi>{entry.actor?.name ?? 'An operator'}</bdi>;
  switch (entry.kind) {
    case 'received':
      return 'Received';
    case 'status':
      return (
        <>
          {who} changed the status from {statusLabel(entry.from)} to {statusLabel(entry.to)}
        </>
      );
    case 'owner':
      if (entry.to === null) return <>{who} removed the owner</>;
      if (entry.to.id === entry.actor?.id) return <>{who} took over the lead</>;
      return (
        <>
          {who} assigned the lead to <bdi>{entry.to.name}</bdi>
        </>
      );
    case 'answered':
      return <>{who} marked it as answered</>;
    case 'not_answered':
      return <>{who} marked it as not answered yet</>;
    case 'address_corrected':
      return (
        <>
          {who} corrected the address of an email from <bdi>{entry.from}</bdi> to <bdi>{entry.to}</bdi>
          {entry.isOfLead && ', and that of the lead'}
        </>
      );
    case 'spam':
      return <>{who} marked it as spam</>;
    case 'released':
      return <>{who} marked it as not spam</>;
  }
}
