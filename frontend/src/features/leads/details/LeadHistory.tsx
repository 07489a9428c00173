import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Skeleton from '@mui/material/Skeleton';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { useDispatch } from 'react-redux';
import { Group } from '../../../form/FieldGroup.tsx';
import { FoldedText } from '../../../staff-ui/FoldedText.tsx';
import { leaveFocus } from '../../../staff-ui/lists/focus-by-id.ts';
import { formatDateTime } from '../../../format/dates.ts';
import { itemsOf } from '../../../api-client/pagination.ts';
import { isRequestFailure } from '../../../api-client/request.ts';
import { serverNow } from '../../../api-client/server-clock.ts';
import type { AppDispatch } from '../../../store/store.ts';
import { leadDeletedText } from '../../../staff-ui/failure-text.ts';
import { toasts } from '../../../toasts/toasts.ts';
import { eventText, NoteText } from '../work/history-texts.tsx';
import { Mentions } from '../work/Mentions.tsx';
import { ReplyItem } from '../reply/ReplyItem.tsx';
import { noteShownHistory } from '../reply/seen-activity.ts';
import { useReplyTools } from '../reply/reply-tools.ts';
import { useLeadStaff } from '../lead-staff.ts';
import {
  type HistoryEntry,
  isLeadDeleted,
  reloadLead,
  useDeleteNoteMutation,
  useLeadHistoryInfiniteQuery,
} from '../leads-api.ts';
import { EditNote, NewNote, type NoteEntry } from './NoteForm.tsx';

const Entries = styled('ol')({
  // The dots of the line stay within the column.
  margin: '0.75rem 0 1.25rem 5px',
  borderLeft: '2px solid var(--dt-palette-divider)',
  fontSize: '0.875rem',
  lineHeight: 1.45,
  '& > li': { position: 'relative', paddingLeft: '1rem', paddingBlock: '0.375rem', overflowWrap: 'anywhere' },
  '& > li::before': {
    content: '""',
    position: 'absolute',
    left: -5,
    top: '0.8125rem',
    width: 8,
    height: 8,
    borderRadius: '50%',
    background: 'var(--dt-palette-text-disabled)',
  },
  '& > li[data-kind="note"]::before': { background: 'var(--dt-palette-secondary-main)' },
  '& time': { color: 'var(--dt-palette-text-secondary)', fontSize: '0.8125rem', whiteSpace: 'nowrap' },
});

interface LeadHistoryProps {
  readonly leadId: string;
  /** Opens the reply to the lead. */
  readonly onWrite: () => void;
}

/** Everything that happened to a lead, oldest first, with the form for a note at its end. */
export function LeadHistory({ leadId, onWrite }: LeadHistoryProps) {
  const { Email } = useReplyTools();
  const titleId = useId();
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = useLeadHistoryInfiniteQuery(leadId, {
    refetchOnMountOrArgChange: true,
  });
  const entries = itemsOf(data);
  const count = entries?.length;
  const isPolled = entries?.some(changesSoon) === true;
  useEffect(() => {
    if (!isPolled || isFetching) return undefined;
    const timer = setTimeout(() => void refetch(), pollMs);
    return () => clearTimeout(timer);
  }, [isPolled, isFetching, refetch]);
  useReloadOfLead(leadId, entries);
  useEffect(() => {
    if (entries) noteShownHistory(leadId, entries);
  }, [leadId, entries]);
  // A new entry pushes the form down.
  useLayoutEffect(() => {
    const { activeElement } = document;
    if (count !== undefined && activeElement instanceof HTMLTextAreaElement)
      activeElement.scrollIntoView({ block: 'nearest' });
  }, [count]);
  return (
    <section aria-labelledby={titleId} aria-busy={isFetching}>
      <Typography id={titleId} variant="h3">
        History
      </Typography>
      {entries && (
        <Entries>
          {entries.map((entry) => (
            <li key={`${entry.kind} ${entry.id}`} data-kind={entry.kind}>
              {entry.kind === 'email' && <Email email={{ ...entry, leadId }} />}
              {entry.kind === 'reply' && <ReplyItem leadId={leadId} reply={entry} onWrite={onWrite} />}
              {entry.kind === 'note' && <NoteItem leadId={leadId} note={entry} />}
              {entry.kind !== 'email' && entry.kind !== 'reply' && entry.kind !== 'note' && (
                <Line entry={entry}>{eventText(entry)}</Line>
              )}
            </li>
          ))}
        </Entries>
      )}
      {!entries && !error && (
        <Box component="output" aria-label="Loading the history" sx={{ display: 'block', marginBlock: 1.5 }}>
          {[60, 80, 70].map((width) => (
            <Skeleton key={width} width={`${width}%`} height={24} />
          ))}
        </Box>
      )}
      {error && (
        <Typography ref={leaveFocus} variant="body2" role="alert" sx={{ marginBlock: 1.5 }}>
          {isRequestFailure(error) && error.status === 404 ? (
            leadDeletedText
          ) : (
            <>
              Could not load the history.{' '}
              <Link component="button" type="button" onClick={() => void refetch()}>
                Try again
              </Link>
            </>
          )}
        </Typography>
      )}
      {hasNextPage && (
        <Button size="small" variant="outlined" onClick={() => void fetchNextPage()} sx={{ marginBottom: 2 }}>
          Show later entries
        </Button>
      )}
      <div data-controls>
        <NewNote leadId={leadId} />
      </div>
    </section>
  );
}

/**
 * Fetches the lead again after its history shows that the worker or another page has changed it: a reply was sent, which
 * answers it, or its address was corrected. Otherwise the next change would apply to an old version.
 */
function useReloadOfLead(leadId: string, entries: readonly HistoryEntry[] | undefined): void {
  const dispatch = useDispatch<AppDispatch>();
  const changes = entries?.filter(
    (entry) =>
      (entry.kind === 'reply' && entry.state === 'sent') || (entry.kind === 'address_corrected' && entry.isOfLead),
  ).length;
  const seen = useRef<number>(undefined);
  useEffect(() => {
    if (changes === undefined) return;
    if (seen.current !== undefined && changes > seen.current) void dispatch(reloadLead(leadId));
    seen.current = changes;
  }, [changes, dispatch, leadId]);
}

/** The interval at which the history is fetched after an email began to wait or to be sent, in milliseconds. */
const pollMs = 2_500;
/** How long it is fetched, in milliseconds. Without this limit the session of an unattended page would never end. */
const pollLimitMs = 120_000;

/** Whether an entry is an email that began to wait or to be sent a short time ago (docs/PRODUCT.md, "Fresh data"). */
function changesSoon(entry: HistoryEntry): boolean {
  if (entry.kind !== 'email' && entry.kind !== 'reply') return false;
  const isUnfinished = entry.state === 'pending' || entry.state === 'sending';
  return isUnfinished && serverNow() - Date.parse(entry.updatedAt) < pollLimitMs;
}

interface LineProps {
  readonly entry: HistoryEntry;
  readonly children: ReactNode;
}

/** An entry's text and its time. */
function Line({ entry, children }: LineProps) {
  return (
    <>
      {children} <time dateTime={entry.at}>{formatDateTime(entry.at)}</time>
    </>
  );
}

interface NoteItemProps {
  readonly leadId: string;
  readonly note: NoteEntry;
}

/** A note. Its author can edit and delete it. */
function NoteItem({ leadId, note }: NoteItemProps) {
  const { me } = useLeadStaff();
  const [state, setState] = useState<'shown' | 'edited' | 'asked'>('shown');
  const [remove, { isLoading }] = useDeleteNoteMutation();
  const dispatch = useDispatch<AppDispatch>();
  const who = <bdi>{note.actor?.name ?? 'An operator'}</bdi>;
  if (note.text === null) return <Line entry={note}>{who} deleted a note</Line>;

  const confirm = async () => {
    if (isLoading) return;
    try {
      await remove({ leadId, noteId: note.id, version: note.version }).unwrap();
    } catch (error) {
      if (!isRequestFailure(error)) throw error;
      setState('shown');
      // The history shows the current text in the meantime.
      if (error.status === 412)
        toasts.error('The note was changed in the meantime. Read it again before you delete it.');
      else if (error.status === 404) {
        // Without a note to delete, the history shows the rest.
        if (await dispatch(isLeadDeleted(leadId))) toasts.error(leadDeletedText);
      } else if (error.status !== 401) toasts.error('Could not delete the note. Please try again.');
    }
  };

  return (
    <div ref={leaveFocus}>
      <Line entry={note}>
        {who} wrote a note{note.editedAt !== null && ', edited'}
      </Line>
      {state === 'edited' ? (
        <Box sx={{ marginTop: 1 }}>
          <EditNote leadId={leadId} note={note} onDone={() => setState('shown')} />
        </Box>
      ) : (
        <NoteText>
          <FoldedText text={note.text} Text={Mentions} />
        </NoteText>
      )}
      {state === 'shown' && me?.id === note.actor?.id && (
        <Box sx={{ display: 'flex', gap: 1.5, marginTop: 0.25 }}>
          <Link component="button" type="button" onClick={() => setState('edited')}>
            Edit
          </Link>
          <Link component="button" type="button" onClick={() => setState('asked')}>
            Delete
          </Link>
        </Box>
      )}
      {state === 'asked' && (
        <Group aria-label="Delete this note?">
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, marginTop: 0.25 }}>
            <span>Delete this note?</span>
            {/* In the place of Edit: a second click on Delete must not delete the note. */}
            <Link component="button" type="button" onClick={() => setState('shown')}>
              Keep
            </Link>
            <Link component="button" type="button" onClick={() => void confirm()}>
              {isLoading ? 'Deleting...' : 'Delete'}
            </Link>
          </Box>
        </Group>
      )}
    </div>
  );
}
