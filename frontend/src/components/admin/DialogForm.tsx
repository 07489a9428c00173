import type { FormSchema } from '@dune-tide/domain/forms/form-schema';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { type ReactNode, useRef, useState } from 'react';
import type { Validate } from '../../lib/validation.ts';
import { Form } from '../form/Form.tsx';
import { SubmitButton } from '../form/SubmitButton.tsx';
import { DialogActions } from './AdminDialog.tsx';
import { FormAlert } from '../form/FormAlert.tsx';

interface DialogFormProps<Values extends object> {
  /** What the form is for, for readers who do not see it. */
  readonly label: string;
  readonly schema: FormSchema;
  readonly validate: Validate;
  readonly initialValues?: Partial<Values>;
  /** Rejects with a request's failure. */
  readonly send: (values: Values) => Promise<unknown>;
  readonly onSent: (values: Values) => void;
  /** Shown in the dialog, which keeps all that was typed. */
  readonly failureText: string;
  readonly submitLabel: string;
  readonly pendingLabel: string;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}

/** A form in a dialog of the staff area. What fails is said in the dialog, beside the fields where the server names them. */
export function DialogForm<Values extends object>(props: DialogFormProps<Values>) {
  const { send, onSent, failureText, submitLabel, pendingLabel, onCancel, children, ...form } = props;
  const [alert, setAlert] = useState<string>();
  const sent = useRef<Values>(undefined);
  return (
    <Form<Values>
      {...form}
      keepsDraft={false}
      send={async (values) => {
        setAlert(undefined);
        sent.current = values;
        await send(values);
      }}
      onSent={() => sent.current && onSent(sent.current)}
      onFailed={({ fieldErrors }) => setAlert(fieldErrors.length > 0 ? 'Some fields need another look.' : failureText)}
    >
      <FormAlert text={alert} />
      <Box sx={{ display: 'grid', gap: 1 }}>{children}</Box>
      <DialogActions>
        <Button variant="outlined" onClick={onCancel}>
          Cancel
        </Button>
        <SubmitButton label={submitLabel} pendingLabel={pendingLabel} />
      </DialogActions>
    </Form>
  );
}
