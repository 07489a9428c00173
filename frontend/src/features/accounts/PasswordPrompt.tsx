import { passwordConfirmationForm, type PasswordConfirmation } from '@dune-tide/domain/forms/account';
import { useEffect, useState } from 'react';
import validate from 'virtual:validator/password-confirmation';
import { onPasswordNeeded } from '../../api-client/password-needed.ts';
import { TextField } from '../../form/TextField.tsx';
import { AdminDialog } from '../../staff-ui/dialogs/AdminDialog.tsx';
import { DialogForm } from '../../staff-ui/dialogs/DialogForm.tsx';
import { useConfirmPasswordMutation } from './own-account-api.ts';

/** The dialog that asks for the password again when a call needs it (docs/PRODUCT.md, "Fresh password"). */
export function PasswordPrompt() {
  const [confirmPassword] = useConfirmPasswordMutation();
  const [settle, setSettle] = useState<(isConfirmed: boolean) => void>();
  const close = () => setSettle(undefined);

  useEffect(() => onPasswordNeeded(() => new Promise((resolve) => setSettle(() => resolve))), []);
  // The call also fails if the page is left while the dialog is open.
  useEffect(() => () => settle?.(false), [settle]);

  return (
    <AdminDialog
      open={settle !== undefined}
      onClose={close}
      title="Enter your password"
      introduction="This needs your password, and you entered it more than ten minutes ago."
    >
      <DialogForm<PasswordConfirmation>
        label="Enter your password"
        schema={passwordConfirmationForm}
        validate={validate}
        send={(confirmation) => confirmPassword(confirmation).unwrap()}
        onSent={() => {
          settle?.(true);
          close();
        }}
        failureText="Failed to check the password. Please try again."
        submitLabel="Continue"
        pendingLabel="Checking..."
        onCancel={close}
      >
        <TextField
          name="password"
          label="Your password"
          type="password"
          autoComplete="current-password"
          hasFirstFocus
        />
      </DialogForm>
    </AdminDialog>
  );
}
