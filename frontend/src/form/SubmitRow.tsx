import { FailureNote } from './FailureNote.tsx';
import { SentNote } from './SentNote.tsx';
import { SubmitAlert } from './SubmitAlert.tsx';
import { SubmitButton } from './SubmitButton.tsx';

interface SubmitRowProps {
  readonly label: string;
  readonly pendingLabel: string;
  readonly fullWidth?: boolean;
}

/**
 * The end of a public form: its button, and below that, which must not move from under the pointer, what became of the
 * last try.
 */
export function SubmitRow(props: SubmitRowProps) {
  return (
    <>
      <SubmitButton {...props} />
      <SubmitAlert />
      <SentNote />
      <FailureNote />
    </>
  );
}
