import { accountChangeForm, type AccountChange } from '@dune-tide/domain/forms/account';
import validate from 'virtual:validator/account-change';
import { AdminDialog } from '../../staff-ui/dialogs/AdminDialog.tsx';
import { DialogForm } from '../../staff-ui/dialogs/DialogForm.tsx';
import { TextField } from '../../form/TextField.tsx';
import { toasts } from '../../toasts/toasts.ts';
import { emailText } from './email-text.ts';
import { type Account, useChangeAccountMutation } from './accounts-api.ts';

interface EmailDialogProps {
  readonly account: Account | undefined;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Sets or removes the address that receives the reminders of an account's leads. */
export function EmailDialog({ account, open, onClose }: EmailDialogProps) {
  const [changeAccount] = useChangeAccountMutation();
  if (!account) return null;
  const { id, name, email: current, pendingEmail } = account;
  return (
    <AdminDialog
      open={open}
      onClose={onClose}
      title={
        <>
          Email of <bdi>{name}</bdi>
        </>
      }
      introduction="Reminders about their leads and notices about the account are sent to this address. A new address must be confirmed by the link that we send to it. Leave it empty to remove the address."
    >
      <DialogForm<AccountChange, Account>
        label="Email"
        schema={accountChangeForm}
        validate={validate}
        initialValues={{ email: pendingEmail ?? current ?? '' }}
        send={({ email }) => changeAccount({ id, change: { email: email || null } }).unwrap()}
        onSent={(changed) => {
          toasts.success(emailText(changed, name), 'Email Saved');
          onClose();
        }}
        failureText="Failed to save the email address. Please try again."
        submitLabel="Save Email"
        pendingLabel="Saving..."
        onCancel={onClose}
      >
        <TextField
          name="email"
          type="email"
          inputMode="email"
          hasFirstFocus
          {...(pendingEmail !== null && { hint: 'Not confirmed yet' })}
        />
      </DialogForm>
    </AdminDialog>
  );
}
