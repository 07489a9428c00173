import { FormAlert } from '../form/FormAlert.tsx';

/** Above a list that could not be read anew: what is there stays. */
export function StaleAlert({ isStale }: { readonly isStale: boolean }) {
  return (
    <FormAlert text={isStale ? 'The list could not be refreshed and may be out of date. Try again.' : undefined} />
  );
}
