import { staffEmailLimits } from '@dune-tide/domain/limits';
import Button from '@mui/material/Button';
import { useEffect, useEffectEvent, useState } from 'react';
import { ConfirmDialog } from '../../staff-ui/dialogs/ConfirmDialog.tsx';
import { toasts } from '../../toasts/toasts.ts';
import { capitalized, changeLabels, counted, nouns } from './follow-up-labels.ts';
import { type ChangeAll, useChangeAllFollowUpsMutation } from './follow-ups-api.ts';

/** @param several - the plural noun of the transport */
const retryTexts = (several: string) =>
  ({
    failed: `All ${several} under “Failed” will be retried. Those that have already arrived will arrive twice.`,
    withheld: `All emails under “Withheld” will be sent now, even above the limits, but at most ${staffEmailLimits.perMailboxAndHour} to one mailbox. Emails to addresses that want no automatic emails stay withheld.`,
    cancelled: `All ${several} under “Cancelled” will be retried. Those that have already arrived will arrive twice.`,
  }) as const satisfies Record<(ChangeAll & { change: 'retry' })['state'], string>;

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
  const { several } = nouns[all.transport];
  const change = async () => {
    const { changed } = await changeAll(all).unwrap();
    if (changed === 0) toasts.success(nothingChanged(all), 'Nothing Changed');
    else toasts.success(`${counted(changed, all.transport)} ${done}.`, `${capitalized(several)} ${title}`);
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
        title={`${label} ${counted(count, all.transport)}?`}
        text={
          all.change === 'retry'
            ? retryTexts(several)[all.state]
            : `Waiting ${several} will not be sent. ${capitalized(several)} already being sent still go out. Cancelled ${several} can be retried later.`
        }
        confirmLabel={`${label} all`}
        pendingLabel={pending}
        // The label "Cancel" beside "Cancel all" would be ambiguous.
        dismissLabel="Back"
        failureText={`Failed to ${all.change} the ${several}. Please try again.`}
        onConfirm={change}
        onClose={() => setIsAsking(false)}
      />
    </>
  );
}
