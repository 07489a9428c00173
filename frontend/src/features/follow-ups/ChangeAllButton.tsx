import Button from '@mui/material/Button';
import { useEffect, useEffectEvent, useState } from 'react';
import { ConfirmDialog } from '../../staff-ui/dialogs/ConfirmDialog.tsx';
import { toasts } from '../../toasts/toasts.ts';
import { changeLabels, emails, stateLabels } from './follow-up-labels.ts';
import { type ChangeAll, useChangeAllFollowUpsMutation } from './follow-ups-api.ts';

interface ChangeAllButtonProps {
  readonly all: ChangeAll;
  /** How many there are; without any there is no button. */
  readonly count: number;
  /** Called when the button is gone, and the focus with it. */
  readonly onGone: () => void;
}

/** Retries or cancels all follow-ups of a state, but asks before and names how many there are. */
export function ChangeAllButton({ all, count, onGone }: ChangeAllButtonProps) {
  const [changeAll] = useChangeAllFollowUpsMutation();
  const [isAsking, setIsAsking] = useState(false);
  const [isDone, setIsDone] = useState(false);
  const { label, pending, title, done } = changeLabels[all.change];
  const change = async () => {
    const { changed } = await changeAll(all).unwrap();
    if (changed === 0) toasts.success('Somebody else has done it already.', 'Nothing Left');
    else toasts.success(`${emails(changed)} ${done}.`, `Follow-ups ${title}`);
    setIsDone(true);
  };

  const tellGone = useEffectEvent(onGone);
  const isGone = isDone && !isAsking && count === 0;
  // After the dialog has given the focus back to it.
  useEffect(() => {
    if (isGone && document.activeElement === document.body) tellGone();
  }, [isGone]);

  return (
    <>
      {count > 0 && (
        <Button variant={all.change === 'retry' ? 'contained' : 'outlined'} onClick={() => setIsAsking(true)}>
          {label} all
        </Button>
      )}
      <ConfirmDialog
        open={isAsking}
        title={`${label} ${emails(count)}?`}
        text={
          all.change === 'retry'
            ? `Everything under "${stateLabels[all.state].label}" will be tried again from the start. An email that already arrived will arrive twice.`
            : 'What waits now is not sent. What is being sent already goes out. Cancelled emails can be retried later.'
        }
        confirmLabel={`${label} all`}
        pendingLabel={pending}
        // “Cancel” beside “Cancel all” could mean either.
        dismissLabel="Back"
        failureText={`Failed to ${all.change} the emails. Please try again.`}
        onConfirm={change}
        onClose={() => setIsAsking(false)}
      />
    </>
  );
}
