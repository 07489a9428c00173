import Button from '@mui/material/Button';
import { useEffect, useEffectEvent, useState } from 'react';
import { ConfirmDialog } from '../../staff-ui/dialogs/ConfirmDialog.tsx';
import { toasts } from '../../toasts/toasts.ts';
import { changeLabels, emails } from './follow-up-labels.ts';
import { type ChangeAll, useChangeAllFollowUpsMutation } from './follow-ups-api.ts';

const retryTexts = {
  failed: 'All emails under “Failed” will be retried. An email that has already arrived will arrive twice.',
  withheld:
    'All emails under “Withheld” will be sent now, even above the limits. Emails to addresses that want no automatic emails stay withheld.',
  cancelled: 'All emails under “Cancelled” will be retried. An email that has already arrived will arrive twice.',
} as const satisfies Record<(ChangeAll & { change: 'retry' })['state'], string>;

interface ChangeAllButtonProps {
  readonly all: ChangeAll;
  /** The number of emails; the button is hidden if there are none. */
  readonly count: number;
  /** Called when the button has disappeared together with the focus. */
  readonly onGone: () => void;
}

function nothingChanged({ change, state }: ChangeAll): string {
  return change === 'retry' && state === 'withheld'
    ? 'Another team member has already done this, or the addresses want no automatic emails.'
    : 'Another team member has already done this.';
}

/** Retries or cancels all emails in a state, after a confirmation with their number. */
export function ChangeAllButton({ all, count, onGone }: ChangeAllButtonProps) {
  const [changeAll] = useChangeAllFollowUpsMutation();
  const [isAsking, setIsAsking] = useState(false);
  const [isDone, setIsDone] = useState(false);
  const { label, pending, title, done } = changeLabels[all.change];
  const change = async () => {
    const { changed } = await changeAll(all).unwrap();
    if (changed === 0) toasts.success(nothingChanged(all), 'Nothing Changed');
    else toasts.success(`${emails(changed)} ${done}.`, `Emails ${title}`);
    setIsDone(true);
  };

  const tellGone = useEffectEvent(onGone);
  const isGone = isDone && !isAsking && count === 0;
  // Runs after the dialog has returned the focus to the button.
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
            ? retryTexts[all.state]
            : 'Waiting emails will not be sent. Emails already being sent still go out. Cancelled emails can be retried later.'
        }
        confirmLabel={`${label} all`}
        pendingLabel={pending}
        // The label "Cancel" beside "Cancel all" would be ambiguous.
        dismissLabel="Back"
        failureText={`Failed to ${all.change} the emails. Please try again.`}
        onConfirm={change}
        onClose={() => setIsAsking(false)}
      />
    </>
  );
}
