import { useFormState } from 'react-final-form';
import { FormAlert } from './FormAlert.tsx';

/** What the last try's failure means for the next one; where no toast lies on it, mostly above the button. */
export function SubmitAlert() {
  const { submitError } = useFormState({ subscription: { submitError: true } });
  const hint: unknown = submitError;
  return <FormAlert text={typeof hint === 'string' && hint !== '' ? hint : undefined} />;
}
