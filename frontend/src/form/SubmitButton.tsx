import Button from '@mui/material/Button';
import { useFormState } from 'react-final-form';

interface SubmitButtonProps {
  readonly label: string;
  /** The label while the form is being sent. */
  readonly pendingLabel: string;
  readonly fullWidth?: boolean;
}

/** Submits the form; disabled while it is being sent. */
export function SubmitButton({ label, pendingLabel, fullWidth = false }: SubmitButtonProps) {
  const { submitting } = useFormState({ subscription: { submitting: true } });
  return (
    <Button type="submit" variant="contained" disabled={submitting} fullWidth={fullWidth}>
      {submitting ? pendingLabel : label}
    </Button>
  );
}
