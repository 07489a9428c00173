import { use } from 'react';
import { useFormState } from 'react-final-form';
import { FormAlert } from './FormAlert.tsx';
import { OutcomeContext } from './outcome-context.ts';

/**
 * What the toast of a failure says, for whoever looks when it has gone: until the form is changed or sent again. Not
 * where `SubmitAlert` knows better when to try again.
 */
export function FailureNote() {
  const { failureText } = use(OutcomeContext);
  const { submitError, dirtySinceLastSubmit = false } = useFormState({
    subscription: { submitError: true, dirtySinceLastSubmit: true },
  });
  const hasFailed: boolean = submitError === '' && !dirtySinceLastSubmit;
  return <FormAlert text={hasFailed ? failureText : undefined} isLast isSilent />;
}
