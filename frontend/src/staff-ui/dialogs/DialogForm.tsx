import type { FormSchema } from '@dune-tide/domain/forms/form-schema';
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { useFormState } from 'react-final-form';
import type { RequestFailure } from '../../api-client/request.ts';
import type { Validate } from '../../form/validation.ts';
import { Form } from '../../form/Form.tsx';
import { checkFields, failureHint, failureTextOf } from '../failure-text.ts';
import { SubmitAlert } from '../../form/SubmitAlert.tsx';
import { SubmitButton } from '../../form/SubmitButton.tsx';
import { useModalHold } from '../../ui/modal-hold.ts';
import { DialogActions, DismissButton } from './AdminDialog.tsx';
import { useAfterUnmountToast } from './use-after-unmount-toast.ts';

interface DialogFormProps<Values extends object, Result> {
  /** The form's name for screen readers. */
  readonly label: string;
  readonly schema: FormSchema;
  readonly validate: Validate;
  readonly initialValues?: Partial<Values>;
  readonly keepsDraft?: boolean;
  /** Rejects with a request's failure. */
  readonly send: (values: Values, idempotencyKey: string) => Promise<Result>;
  /** Receives what `send` resolved to. */
  readonly onSent: (result: Result) => void;
  /** Shown in the dialog, which keeps the values, or as a toast if the page was left in the meantime. */
  readonly failureText: string | ((failure: RequestFailure) => string);
  readonly submitLabel: string;
  readonly pendingLabel: string;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}

/** A form in a dialog of the staff area. Errors are shown in the dialog, beside the fields that the server names. */
export function DialogForm<Values extends object, Result = unknown>(props: DialogFormProps<Values, Result>) {
  const { failureText, submitLabel, pendingLabel, onCancel, children, ...form } = props;
  const { tellIfGone } = useAfterUnmountToast();
  return (
    <Form<Values, Result>
      keepsDraft={false}
      {...form}
      onFailed={(failure) => tellIfGone(failure, failureTextOf(failure, failureText))}
      hint={failureHint(failureText, checkFields)}
    >
      <Standing />
      <SubmitAlert isLast={false} />
      <Box sx={{ display: 'grid', gap: 1 }}>{children}</Box>
      <DialogActions>
        <DismissButton onClick={onCancel} />
        <SubmitButton label={submitLabel} pendingLabel={pendingLabel} />
      </DialogActions>
    </Form>
  );
}

/** Reports the form's state to the dialog. */
function Standing() {
  const { dirty = false, submitting = false } = useFormState({ subscription: { dirty: true, submitting: true } });
  useModalHold({ isTyped: dirty, isBusy: submitting });
  return null;
}
