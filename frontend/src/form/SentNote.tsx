import { use } from 'react';
import { useFormState } from 'react-final-form';
import { FormNote } from './FormNote.tsx';
import { OutcomeContext } from './outcome-context.ts';

/**
 * Shows the text of the success toast until the form is changed or sent again, for visitors who missed the toast. Only
 * the toast is announced.
 */
export function SentNote() {
  const { thanks } = use(OutcomeContext);
  const { pristine, modified, submitFailed } = useFormState({
    subscription: { pristine: true, modified: true, submitFailed: true },
  });
  // A field that was changed and then emptied leaves the form pristine.
  const isAsSent = pristine && !submitFailed && !Object.values(modified ?? {}).includes(true);
  if (!thanks || !isAsSent) return null;
  return (
    <FormNote kind="success" isLast>
      {thanks.title !== undefined && <strong>{thanks.title}</strong>} {thanks.text}
    </FormNote>
  );
}
