import { use } from 'react';
import { useFormState } from 'react-final-form';
import { FormNote } from './FormNote.tsx';
import { OutcomeContext } from './outcome-context.ts';

/**
 * What the toast of a success says, for whoever looks when it has gone: until the form is changed or sent again. The toast
 * alone is announced.
 */
export function SentNote() {
  const { thanks } = use(OutcomeContext);
  const { pristine, modified, submitFailed } = useFormState({
    subscription: { pristine: true, modified: true, submitFailed: true },
  });
  // A field that was changed and emptied leaves the form pristine.
  const isAsSent = pristine && !submitFailed && !Object.values(modified ?? {}).includes(true);
  if (!thanks || !isAsSent) return null;
  return (
    <FormNote kind="success" isLast>
      {thanks.title !== undefined && <strong>{thanks.title}</strong>} {thanks.text}
    </FormNote>
  );
}
