import { accountChangeForm, type AccountChange } from '@dune-tide/domain/forms/account';
import { lastOwnerMessage } from '@dune-tide/domain/staff-roles';
import validate from 'virtual:validator/account-change';
import { SelectField } from '../../form/SelectField.tsx';
import { AdminDialog } from '../../staff-ui/dialogs/AdminDialog.tsx';
import { DialogForm } from '../../staff-ui/dialogs/DialogForm.tsx';
import { toasts } from '../../toasts/toasts.ts';
import { type Account, useChangeAccountMutation } from './accounts-api.ts';
import { roleOptions, rolesHint } from './role-labels.ts';

interface RoleDialogProps {
  readonly account: Account | undefined;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Makes an account an owner or a member. */
export function RoleDialog({ account, open, onClose }: RoleDialogProps) {
  const [changeAccount] = useChangeAccountMutation();
  if (!account) return null;
  const { id, name, role } = account;
  return (
    <AdminDialog
      open={open}
      onClose={onClose}
      title={
        <>
          Role of <bdi>{name}</bdi>
        </>
      }
      introduction={rolesHint}
    >
      <DialogForm<AccountChange, Account>
        label="Role"
        schema={accountChangeForm}
        validate={validate}
        initialValues={{ role }}
        send={(change) => changeAccount({ id, change }).unwrap()}
        onSent={(changed) => {
          toasts.success(`${name} is ${changed.role === 'owner' ? 'an owner' : 'a member'}.`, 'Role Saved');
          onClose();
        }}
        failureText={({ status }) => (status === 409 ? lastOwnerMessage : 'Failed to save the role. Please try again.')}
        submitLabel="Save Role"
        pendingLabel="Saving..."
        onCancel={onClose}
      >
        <SelectField name="role" options={roleOptions} />
      </DialogForm>
    </AdminDialog>
  );
}
