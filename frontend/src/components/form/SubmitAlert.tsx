import { useFormState } from 'react-final-form';
import { FormAlert } from './FormAlert.tsx';

/**
 * What the last try's failure means for the next one. Above the button, where no toast lies on it; the sign-in has it
 * under the form (decisions, "Staff area").
 */
export function SubmitAlert({ isLast = false }: { readonly isLast?: boolean }) {
  const { submitError } = useFormState({ subscription: { submitError: true } });
  const hint: unknown = submitError;
  return <FormAlert text={typeof hint === 'string' && hint !== '' ? hint : undefined} isLast={isLast} />;
}
