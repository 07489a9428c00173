import Button from '@mui/material/Button';
import { useFormState } from 'react-final-form';

interface SubmitButtonProps {
  readonly label: string;
  /** The label while the form is being sent. */
  readonly pendingLabel: string;
  readonly fullWidth?: boolean;
  /** `outlined` beside a more important action. */
  readonly variant?: 'contained' | 'outlined';
}

/** Submits the form; disabled while it is being sent. */
export function SubmitButton({ label, pendingLabel, fullWidth = false, variant = 'contained' }: SubmitButtonProps) {
  const { submitting } = useFormState({ subscription: { submitting: true } });
  return (
    <Button type="submit" variant={variant} disabled={submitting} fullWidth={fullWidth}>
      {submitting ? pendingLabel : label}
    </Button>
  );
}
