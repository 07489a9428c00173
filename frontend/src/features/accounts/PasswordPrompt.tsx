import { passwordConfirmationForm, type PasswordConfirmation } from '@dune-tide/domain/forms/account';
import { type ReactNode, useState } from 'react';
import validate from 'virtual:validator/password-confirmation';
import { isRequestFailure } from '../../api-client/request.ts';
import { TextField } from '../../form/TextField.tsx';
import { AdminDialog } from '../../staff-ui/dialogs/AdminDialog.tsx';
import { DialogForm } from '../../staff-ui/dialogs/DialogForm.tsx';
import { useConfirmPasswordMutation } from './own-account-api.ts';

interface PasswordPrompt {
  /**
   * Makes a change. If the server needs the password again, asks for it and makes the change again.
   * @throws the failure of the change, also if the user cancels
   */
  readonly withPassword: <Result>(change: () => Promise<Result>) => Promise<Result>;
  /** The dialog, to be rendered beside the one of the change. */
  readonly prompt: ReactNode;
}

/** Asks for the password again when a change needs it (docs/PRODUCT.md, "Fresh password"). */
export function usePasswordPrompt(): PasswordPrompt {
  const [confirmPassword] = useConfirmPasswordMutation();
  const [settle, setSettle] = useState<(isConfirmed: boolean) => void>();

  const ask = (): Promise<boolean> => new Promise((resolve) => setSettle(() => resolve));
  const close = (isConfirmed: boolean) => {
    settle?.(isConfirmed);
    setSettle(undefined);
  };

  return {
    async withPassword(change) {
      try {
        return await change();
      } catch (error) {
        if (!isRequestFailure(error) || error.type !== 'password_needed' || !(await ask())) throw error;
        return change();
      }
    },
    prompt: (
      <AdminDialog
        open={settle !== undefined}
        onClose={() => close(false)}
        title="Enter your password"
        introduction="You entered it more than ten minutes ago, and this change affects who can sign in."
      >
        <DialogForm<PasswordConfirmation>
          label="Enter your password"
          schema={passwordConfirmationForm}
          validate={validate}
          send={(confirmation) => confirmPassword(confirmation).unwrap()}
          onSent={() => close(true)}
          failureText="Failed to check the password. Please try again."
          submitLabel="Continue"
          pendingLabel="Checking..."
          onCancel={() => close(false)}
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
    ),
  };
}
