import { use } from 'react';
import { useFormState } from 'react-final-form';
import { FormAlert } from './FormAlert.tsx';
import { OutcomeContext } from './outcome-context.ts';

/**
 * Shows the text of the failure toast until the form is changed or sent again, for visitors who missed the toast.
 * Hidden if `SubmitAlert` shows when to try again.
 */
export function FailureNote() {
  const { failureText } = use(OutcomeContext);
  const { submitError, dirtySinceLastSubmit = false } = useFormState({
    subscription: { submitError: true, dirtySinceLastSubmit: true },
  });
  const hasFailed: boolean = submitError === '' && !dirtySinceLastSubmit;
  return <FormAlert text={hasFailed ? failureText : undefined} isLast isSilent />;
}
