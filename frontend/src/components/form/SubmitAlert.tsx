import Box from '@mui/material/Box';
import { useFormState } from 'react-final-form';
import { FormAlert } from './FormAlert.tsx';

/** Under the button: what the last try's failure means for the next one. */
export function SubmitAlert() {
  const { submitError } = useFormState({ subscription: { submitError: true } });
  const hint: unknown = submitError;
  return (
    <Box sx={{ '& [role="alert"] p': { marginTop: 2, marginBottom: 0 } }}>
      <FormAlert text={typeof hint === 'string' && hint !== '' ? hint : undefined} />
    </Box>
  );
}
