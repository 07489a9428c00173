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
  /** The colour of the button that confirms. */
  readonly color?: 'error';
  /** Shown in the dialog, which stays open, or as a toast if the page was left in the meantime. */
  readonly failureText: string;
  /** Shown instead after a 412. */
  readonly conflictText?: string;
  /** Shown instead after a 404. Nothing is left to confirm, so the only button is Close. */
  readonly goneText?: string;
  /** Performs the action and rejects with the failure of its request. The dialog closes only after a success. */
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
  /** Called instead of `onClose` after a success. */
  readonly onDone?: () => void;
  /** Shown below the failure. */
  readonly children?: ReactNode;
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

function Question(props: QuestionProps) {
  const { confirmLabel, pendingLabel, dismissLabel, color, onConfirm, onClose, onDone = onClose, children } = props;
  const { failureText, conflictText, goneText } = props;
  const [state, setState] = useState<'idle' | 'pending' | 'failed' | 'gone'>('idle');
  const [alert, setAlert] = useState(failureText);
  const button = useRef<HTMLButtonElement>(null);
  const { isThere, tellIfGone } = useAfterUnmountToast();
  useModalHold({ isBusy: state === 'pending' });
  const hasFailed = state === 'failed' || state === 'gone';

  const confirm = async () => {
    setState('pending');
    try {
      await onConfirm();
    } catch (error) {
      setState('failed');
      if (!isRequestFailure(error)) throw error;
      const { status } = error;
      if (status === 404 && goneText !== undefined) setState('gone');
      const textOfStatus = status === 404 ? goneText : status === 412 ? conflictText : undefined;
      const text = failureTextOf(error, textOfStatus ?? failureText);
      setAlert(text);
      tellIfGone(error, text);
      return;
    }
    if (isThere()) onDone();
  };

  // The button loses the focus while it is disabled.
  useEffect(() => {
    if (hasFailed) button.current?.focus();
  }, [hasFailed]);

  return (
    <>
      <FormAlert text={hasFailed ? alert : undefined} />
      {state !== 'gone' && children}
      <DialogActions>
        {state === 'gone' ? (
          <Button ref={button} variant="outlined" onClick={onClose}>
            Close
          </Button>
        ) : (
          <>
            <DismissButton onClick={onClose}>{dismissLabel}</DismissButton>
            <Button
              ref={button}
              variant="contained"
              color={color}
              disabled={state === 'pending'}
              onClick={() => void confirm()}
            >
              {state === 'pending' ? pendingLabel : confirmLabel}
            </Button>
          </>
        )}
      </DialogActions>
    </>
  );
}
