import { newAccountForm, type NewAccount } from '@dune-tide/domain/forms/account';
import validate from 'virtual:validator/new-account';
import { AdminDialog } from '../../staff-ui/dialogs/AdminDialog.tsx';
import { DialogForm } from '../../staff-ui/dialogs/DialogForm.tsx';
import { TextField } from '../../form/TextField.tsx';
import { draftKeeper } from '../../form/draft-storage.ts';
import { toasts } from '../../toasts/toasts.ts';
import { SelectField } from '../../form/SelectField.tsx';
import { NewPasswordField } from './NewPasswordField.tsx';
import { type Account, useAddAccountMutation } from './accounts-api.ts';
import { roleOptions, rolesHint } from './role-labels.ts';

interface AddAccountDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

const asMember = { role: 'member' } as const;

/** Adds a staff account. */
export function AddAccountDialog({ open, onClose }: AddAccountDialogProps) {
  const [addAccount] = useAddAccountMutation();
  const giveUp = () => {
    draftKeeper(location.pathname, newAccountForm.$id).clear();
    onClose();
  };
  return (
    <AdminDialog
      open={open}
      // Escape or a click on the backdrop loses nothing: the values are kept until the dialog opens again.
      onClose={onClose}
      title="Add a member"
      introduction="They’ll sign in with this username and password, and choose a password of their own."
    >
      <DialogForm<NewAccount, Account>
        label="New member"
        schema={newAccountForm}
        validate={validate}
        keepsDraft
        initialValues={asMember}
        send={(account, idempotencyKey) => addAccount({ account, idempotencyKey }).unwrap()}
        onSent={({ name }) => {
          toasts.success(`${name} can sign in now.`, 'Member Added');
          onClose();
        }}
        failureText="Failed to add the member. Please try again."
        submitLabel="Add Member"
        pendingLabel="Adding..."
        onCancel={giveUp}
      >
        <TextField name="name" autoComplete="off" />
        <TextField name="username" autoComplete="off" />
        <NewPasswordField />
        <TextField
          name="email"
          type="email"
          inputMode="email"
          hint="Receives the reminders of their leads and notices about the account."
        />
        <SelectField name="role" options={roleOptions} hint={rolesHint} />
      </DialogForm>
    </AdminDialog>
  );
}
