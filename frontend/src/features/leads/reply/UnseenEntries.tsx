import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { formatDateTime } from '../../../format/dates.ts';
import { ConflictBox } from '../../../staff-ui/dialogs/ConflictBox.tsx';
import type { HistoryEntry } from '../leads-api.ts';
import { eventText, NoteText } from '../work/history-texts.tsx';
import { Mentions } from '../work/Mentions.tsx';
import { ReplyText } from './ReplyItem.tsx';

/** Shows what others have done with a lead while a reply to it was written. */
export function UnseenEntries({ entries }: { readonly entries: readonly HistoryEntry[] }) {
  return (
    <ConflictBox title="This lead has changed since you opened it">
      <Typography variant="body2">Your email is not sent. In the meantime:</Typography>
      <Box
        component="ul"
        aria-label="Their changes"
        sx={{ marginTop: 1, display: 'grid', gap: 1, fontSize: '0.875rem' }}
      >
        {entries.map((entry) => (
          <li key={entry.id}>
            <Unseen entry={entry} />
          </li>
        ))}
      </Box>
    </ConflictBox>
  );
}

function Unseen({ entry }: { readonly entry: HistoryEntry }): ReactNode {
  const who = <bdi>{entry.actor?.name ?? 'An operator'}</bdi>;
  const at = <time dateTime={entry.at}>{formatDateTime(entry.at)}</time>;
  switch (entry.kind) {
    case 'reply':
      return (
        <>
          {who} wrote a reply{stateOf(entry)} {at}
          <ReplyText>
            <strong>{entry.subject}</strong>
            {'\n'}
            {entry.text}
          </ReplyText>
        </>
      );
    case 'note':
      if (entry.text === null) {
        return (
          <>
            {who} deleted a note {at}
          </>
        );
      }
      return (
        <>
          {who} {entry.editedAt === null ? 'wrote' : 'edited'} a note {at}
          <NoteText>
            <Mentions text={entry.text} />
          </NoteText>
        </>
      );
    case 'email':
      return null;
    case 'received':
    case 'status':
    case 'owner':
    case 'answered':
    case 'not_answered':
    case 'address_corrected':
    case 'spam':
    case 'released':
      return (
        <>
          {eventText(entry)} {at}
        </>
      );
  }
}

function stateOf({ withdrawnAt, withdrawnBy, state }: Extract<HistoryEntry, { readonly kind: 'reply' }>): ReactNode {
  if (withdrawnAt !== null) {
    return (
      <>
        , which <bdi>{withdrawnBy?.name}</bdi> withdrew,
      </>
    );
  }
  if (state === 'sent') return ', which was sent,';
  return state === 'pending' || state === 'sending' ? ', which is about to be sent,' : ', which was not sent,';
}
