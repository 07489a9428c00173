import Button from '@mui/material/Button';
import { type ReactNode, useState } from 'react';
import { isRequestFailure } from '../../lib/request.ts';
import { AdminDialog, DialogActions } from './AdminDialog.tsx';
import { FormAlert } from '../form/FormAlert.tsx';

interface ConfirmDialogProps {
  readonly open: boolean;
  readonly title: string;
  /** What will be so afterwards. */
  readonly text: ReactNode;
  readonly confirmLabel: string;
  readonly pendingLabel: string;
  /** Shown in the dialog, which stays open. */
  readonly failureText: string;
  /** Does it; rejects with a request's failure. The dialog closes by itself only when that succeeds. */
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks before something is done that others notice. */
export function ConfirmDialog({ open, title, text, onClose, ...asking }: ConfirmDialogProps) {
  return (
    <AdminDialog open={open} onClose={onClose} title={title} introduction={text}>
      <Question {...asking} onClose={onClose} />
    </AdminDialog>
  );
}

type QuestionProps = Omit<ConfirmDialogProps, 'open' | 'title' | 'text'>;

function Question({ confirmLabel, pendingLabel, failureText, onConfirm, onClose }: QuestionProps) {
  const [state, setState] = useState<'idle' | 'pending' | 'failed'>('idle');
  const confirm = async () => {
    setState('pending');
    try {
      await onConfirm();
    } catch (error) {
      if (!isRequestFailure(error)) throw error;
      setState('failed');
      return;
    }
    onClose();
  };
  return (
    <>
      <FormAlert text={state === 'failed' ? failureText : undefined} />
      <DialogActions>
        <Button variant="outlined" onClick={onClose}>
          Cancel
        </Button>
        <Button variant="contained" disabled={state === 'pending'} onClick={() => void confirm()}>
          {state === 'pending' ? pendingLabel : confirmLabel}
        </Button>
      </DialogActions>
    </>
  );
}
