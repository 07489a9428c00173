import { newPasswordForm, type NewPassword } from '@dune-tide/domain/forms/account';
import validate from 'virtual:validator/new-password';
import { AdminDialog } from '../../staff-ui/dialogs/AdminDialog.tsx';
import { DialogForm } from '../../staff-ui/dialogs/DialogForm.tsx';
import { toasts } from '../../toasts/toasts.ts';
import { NewPasswordField } from './NewPasswordField.tsx';
import { type Account, useChangeAccountMutation } from './accounts-api.ts';

interface NewPasswordDialogProps {
  readonly account: Account | undefined;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Sets the password of another member, which ends all their sessions. */
export function NewPasswordDialog({ account, open, onClose }: NewPasswordDialogProps) {
  const [changeAccount] = useChangeAccountMutation();
  if (!account) return null;
  const { id, name, username } = account;
  return (
    <AdminDialog
      open={open}
      onClose={onClose}
      title={
        <>
          New password for <bdi>{name}</bdi>
        </>
      }
      introduction={`The account ${username} will be signed out on all devices. With this password they can sign in again, and must then choose one of their own.`}
    >
      <DialogForm<NewPassword>
        label="New password"
        schema={newPasswordForm}
        validate={validate}
        send={(change) => changeAccount({ id, change }).unwrap()}
        onSent={() => {
          toasts.success(`${name} has a new password.`, 'Password Changed');
          onClose();
        }}
        failureText="Failed to set the password. Please try again."
        submitLabel="Set password"
        pendingLabel="Setting..."
        onCancel={onClose}
      >
        {/* Otherwise a password manager would save the password for the signed-in user. */}
        <input type="text" autoComplete="username" value={username} readOnly hidden />
        <NewPasswordField />
      </DialogForm>
    </AdminDialog>
  );
}
