import Button from '@mui/material/Button';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { isRequestFailure } from '../../api-client/request.ts';
import { failureTextOf } from '../failure-text.ts';
import { FormAlert } from '../../form/FormAlert.tsx';
import { useModalHold } from '../../ui/modal-hold.ts';
import { AdminDialog, DialogActions, DismissButton } from './AdminDialog.tsx';
import { useAfterUnmountToast } from './use-after-unmount-toast.ts';

interface ConfirmDialogProps {
  readonly open: boolean;
  readonly title: ReactNode;
  /** The consequence of the action. */
  readonly text: ReactNode;
  readonly confirmLabel: string;
  readonly pendingLabel: string;
  readonly dismissLabel?: string;
  /** Shown in the dialog, which stays open, or as a toast if the page was left in the meantime. */
  readonly failureText: string;
  /** Performs the action and rejects with the failure of its request. The dialog closes only after a success. */
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Confirms an action that affects other people. */
export function ConfirmDialog({ open, title, text, onClose, ...asking }: ConfirmDialogProps) {
  return (
    <AdminDialog open={open} onClose={onClose} title={title} introduction={text}>
      <Question {...asking} onClose={onClose} />
    </AdminDialog>
  );
}

type QuestionProps = Omit<ConfirmDialogProps, 'open' | 'title' | 'text'>;

function Question({ confirmLabel, pendingLabel, dismissLabel, failureText, onConfirm, onClose }: QuestionProps) {
  const [state, setState] = useState<'idle' | 'pending' | 'failed'>('idle');
  const [alert, setAlert] = useState(failureText);
  const button = useRef<HTMLButtonElement>(null);
  const { isThere, tellIfGone } = useAfterUnmountToast();
  useModalHold({ isBusy: state === 'pending' });
  const confirm = async () => {
    setState('pending');
    try {
      await onConfirm();
    } catch (error) {
      setState('failed');
      if (!isRequestFailure(error)) throw error;
      const text = failureTextOf(error, failureText);
      setAlert(text);
      tellIfGone(error, text);
      return;
    }
    if (isThere()) onClose();
  };

  // The button loses the focus while it is disabled.
  useEffect(() => {
    if (state === 'failed') button.current?.focus();
  }, [state]);

  return (
    <>
      <FormAlert text={state === 'failed' ? alert : undefined} />
      <DialogActions>
        <DismissButton onClick={onClose}>{dismissLabel}</DismissButton>
        <Button ref={button} variant="contained" disabled={state === 'pending'} onClick={() => void confirm()}>
          {state === 'pending' ? pendingLabel : confirmLabel}
        </Button>
      </DialogActions>
    </>
  );
}
