import { useFormState } from 'react-final-form';
import { FormAlert } from './FormAlert.tsx';

/** Above the button, where no toast lies on it: what the last try's failure means for the next one. */
export function SubmitAlert() {
  const { submitError } = useFormState({ subscription: { submitError: true } });
  const hint: unknown = submitError;
  return <FormAlert text={typeof hint === 'string' && hint !== '' ? hint : undefined} />;
}
