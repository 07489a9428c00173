import { useFormState } from 'react-final-form';
import { FormAlert } from './FormAlert.tsx';

/**
 * What the last try's failure means for the next one. Under the button, as the sign-in has it
 * (docs/PRODUCT.md, "Sign-in page").
 */
export function SubmitAlert() {
  const { submitError } = useFormState({ subscription: { submitError: true } });
  const hint: unknown = submitError;
  return <FormAlert text={typeof hint === 'string' && hint !== '' ? hint : undefined} isLast />;
}
