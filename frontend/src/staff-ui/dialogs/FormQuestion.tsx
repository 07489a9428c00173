import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useEffect, useId, useRef } from 'react';
import { Group } from '../../form/FieldGroup.tsx';
import { DialogActions, DismissButton } from './AdminDialog.tsx';

interface FormQuestionProps {
  readonly text?: string;
  readonly confirmLabel?: string;
  readonly onStay: () => void;
  readonly onConfirm: () => void;
}

/**
 * Replaces a form's buttons and asks, by default whether to discard the changes. Staying restores the focus, or focuses
 * the first field.
 */
export function FormQuestion(props: FormQuestionProps) {
  const { text = 'Discard what you have written?', confirmLabel = 'Discard', onStay, onConfirm } = props;
  const id = useId();
  const stay = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    const form = stay.current?.closest('form');
    stay.current?.focus();
    return () => {
      const back =
        before !== document.body && form?.contains(before)
          ? before
          : form?.querySelector('input:not([readonly]), textarea');
      if (document.activeElement === document.body && back instanceof HTMLElement) back.focus();
    };
  }, []);
  return (
    <Group aria-labelledby={id}>
      <Typography id={id} role="alert" sx={{ fontWeight: 600 }}>
        {text}
      </Typography>
      <DialogActions>
        {/* First, in the place of Cancel: a second click on Cancel must not confirm. */}
        <Button ref={stay} variant="contained" onClick={onStay}>
          Keep editing
        </Button>
        <DismissButton onClick={onConfirm}>{confirmLabel}</DismissButton>
      </DialogActions>
    </Group>
  );
}
