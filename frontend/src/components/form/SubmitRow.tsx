import { SentNote } from './SentNote.tsx';
import { SubmitAlert } from './SubmitAlert.tsx';
import { SubmitButton } from './SubmitButton.tsx';

interface SubmitRowProps {
  readonly label: string;
  readonly pendingLabel: string;
}

/** The end of a public form: when to try again or that it was sent, and its button. */
export function SubmitRow({ label, pendingLabel }: SubmitRowProps) {
  return (
    <>
      <SubmitAlert />
      <SentNote />
      <SubmitButton label={label} pendingLabel={pendingLabel} />
    </>
  );
}
