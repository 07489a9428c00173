import { ConfirmDialog } from '../../components/admin/ConfirmDialog.tsx';
import { useToasts } from '../../lib/toasts/use-toasts.ts';
import { changeWords, mails, stateWords } from './follow-up-words.ts';
import { type ChangeAll, useChangeAllFollowUpsMutation } from './follow-ups-api.ts';

interface ChangeAllDialogProps {
  readonly all: ChangeAll;
  readonly count: number;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Asks before all follow-ups of a state are retried or cancelled, and names how many there are. */
export function ChangeAllDialog({ all, count, open, onClose }: ChangeAllDialogProps) {
  const [changeAll] = useChangeAllFollowUpsMutation();
  const toasts = useToasts();
  const { label, pending, title, done } = changeWords[all.change];
  const change = async () => {
    const { changed } = await changeAll(all).unwrap();
    toasts.success(`${mails(changed)} ${done}.`, `Follow-ups ${title}`);
  };
  return (
    <ConfirmDialog
      open={open}
      title={`${label} ${mails(count)}?`}
      text={
        all.change === 'retry'
          ? `Everything under "${stateWords[all.state].label}" is sent again, with all its tries. A mail that did arrive before comes a second time.`
          : 'What waits now is not sent. What is being sent already goes out. Cancelled mails can be retried later.'
      }
      confirmLabel={`${label} all`}
      pendingLabel={pending}
      failureText={`Failed to ${all.change} the mails. Please try again.`}
      onConfirm={change}
      onClose={onClose}
    />
  );
}
