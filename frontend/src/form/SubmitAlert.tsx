import { useFormState } from 'react-final-form';
import { FormAlert } from './FormAlert.tsx';

/**
 * Shows the form's hint after a failure (docs/PRODUCT.md, "Sign-in page").
 * @param props.isLast - false if it is above the fields
 */
export function SubmitAlert({ isLast = true }: { readonly isLast?: boolean }) {
  const { submitError } = useFormState({ subscription: { submitError: true } });
  const hint: unknown = submitError;
  return <FormAlert text={typeof hint === 'string' && hint !== '' ? hint : undefined} isLast={isLast} />;
}
