import Link from '@mui/material/Link';
import { styled } from '@mui/material/styles';
import { useState } from 'react';
import { formatDateTime } from '../../../format/dates.ts';
import { FoldedText } from '../../../staff-ui/FoldedText.tsx';
import type { HistoryEntry } from '../leads-api.ts';
import { restoreReply } from './pending-reply.ts';
import { useReplyTools } from './reply-tools.ts';
import { useUndoReply } from './use-undo-reply.ts';

type ReplyEntry = Extract<HistoryEntry, { readonly kind: 'reply' }>;

/** The text of a reply. */
export const ReplyText = styled('div')({
  marginTop: '0.25rem',
  padding: '0.5rem 0.75rem',
  borderRadius: 6,
  border: '1px solid var(--dt-palette-divider)',
  whiteSpace: 'pre-wrap',
  unicodeBidi: 'plaintext',
  textAlign: 'start',
});

interface ReplyItemProps {
  readonly leadId: string;
  readonly reply: ReplyEntry;
  /** Opens the draft of the reply. */
  readonly onWrite: () => void;
}

/** A reply in the history, with its state, its text and the actions that staff can take. */
export function ReplyItem({ leadId, reply, onWrite }: ReplyItemProps) {
  const { Email } = useReplyTools();
  const { id, subject, text, state, isUndoable, withdrawnAt, withdrawnBy, actor } = reply;
  const undo = useUndoReply();
  const [isUndoing, setIsUndoing] = useState(false);
  const who = <bdi>{actor?.name}</bdi>;
  const writeAgain = () => {
    restoreReply(leadId, { subject, text }, id);
    onWrite();
  };
  const undoOnce = async () => {
    if (isUndoing) return;
    setIsUndoing(true);
    try {
      await undo({ id, leadId });
    } finally {
      setIsUndoing(false);
    }
  };

  return (
    <>
      {withdrawnAt === null ? (
        <Email
          email={{ ...reply, leadId, email: 'reply', withheldReason: null }}
          label={<>{who} wrote a reply</>}
          actions={
            state === 'failed' && (
              <Link component="button" type="button" onClick={writeAgain}>
                Edit and send again
              </Link>
            )
          }
        />
      ) : (
        <>
          {who} wrote a reply. It was not sent: <bdi>{withdrawnBy?.name}</bdi> withdrew it{' '}
          <time dateTime={withdrawnAt}>{formatDateTime(withdrawnAt)}</time>
        </>
      )}
      <ReplyText>
        <strong>{subject}</strong>
        {'\n'}
        <FoldedText text={text} />
      </ReplyText>
      {isUndoable && (
        <Link component="button" type="button" onClick={() => void undoOnce()} sx={{ marginTop: 0.25 }}>
          {isUndoing ? 'Undoing...' : 'Undo'}
        </Link>
      )}
    </>
  );
}
