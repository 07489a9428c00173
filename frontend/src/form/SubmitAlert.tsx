import { useFormState } from 'react-final-form';
import { FormAlert } from './FormAlert.tsx';

/** Shows the hint for the next attempt after a failure, below the button (docs/PRODUCT.md, "Sign-in page"). */
export function SubmitAlert() {
  const { submitError } = useFormState({ subscription: { submitError: true } });
  const hint: unknown = submitError;
  return <FormAlert text={typeof hint === 'string' && hint !== '' ? hint : undefined} isLast />;
}
