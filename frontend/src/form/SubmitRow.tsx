import { FailureNote } from './FailureNote.tsx';
import { PrivacyLine } from './PrivacyLine.tsx';
import { SentNote } from './SentNote.tsx';
import { SubmitAlert } from './SubmitAlert.tsx';
import { SubmitButton } from './SubmitButton.tsx';

interface SubmitRowProps {
  readonly label: string;
  readonly pendingLabel: string;
  readonly fullWidth?: boolean;
}

/**
 * The end of a public form: the button and, below it, what the data is used for and the result of the last attempt. The
 * button must not move away from the pointer.
 */
export function SubmitRow(props: SubmitRowProps) {
  return (
    <>
      <SubmitButton {...props} />
      <PrivacyLine />
      <SubmitAlert />
      <SentNote />
      <FailureNote />
    </>
  );
}
