import type { FormSchema } from '@dune-tide/domain/forms/form-schema';
import Box from '@mui/material/Box';
import { type ReactNode, useRef, useState } from 'react';
import { useFormState } from 'react-final-form';
import type { RequestFailure } from '../../api-client/request.ts';
import type { Validate } from '../../form/validation.ts';
import { Form } from '../../form/Form.tsx';
import { FormAlert } from '../../form/FormAlert.tsx';
import { SubmitButton } from '../../form/SubmitButton.tsx';
import { useModalHold } from '../../ui/modal-hold.ts';
import { failureTextOf } from './failure-text.ts';
import { DialogActions, DismissButton } from './AdminDialog.tsx';
import { useAfterUnmountToast } from './use-after-unmount-toast.ts';

interface DialogFormProps<Values extends object> {
  /** The form's name for screen readers. */
  readonly label: string;
  readonly schema: FormSchema;
  readonly validate: Validate;
  readonly initialValues?: Partial<Values>;
  readonly keepsDraft?: boolean;
  /** Rejects with a request's failure. */
  readonly send: (values: Values, idempotencyKey: string) => Promise<unknown>;
  readonly onSent: (values: Values) => void;
  /** Shown in the dialog, which keeps the values, or as a toast if the page was left in the meantime. */
  readonly failureText: string | ((failure: RequestFailure) => string);
  readonly submitLabel: string;
  readonly pendingLabel: string;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}

/** A form in a dialog of the staff area. Errors are shown in the dialog, beside the fields that the server names. */
export function DialogForm<Values extends object>(props: DialogFormProps<Values>) {
  const { send, onSent, failureText, submitLabel, pendingLabel, onCancel, children, ...form } = props;
  const { tellIfGone } = useAfterUnmountToast();
  const [alert, setAlert] = useState<string>();
  const sent = useRef<Values>(undefined);
  return (
    <Form<Values>
      keepsDraft={false}
      {...form}
      send={async (values, idempotencyKey) => {
        setAlert(undefined);
        sent.current = values;
        await send(values, idempotencyKey);
      }}
      onSent={() => sent.current && onSent(sent.current)}
      onFailed={(failure) => {
        const text = failureTextOf(failure, failureText);
        tellIfGone(failure, text);
        setAlert(failure.fieldErrors.length > 0 ? 'Please check the highlighted fields.' : text);
      }}
    >
      <Standing />
      <FormAlert text={alert} />
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
