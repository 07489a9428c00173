import { ConfirmDialog } from '../../staff-ui/dialogs/ConfirmDialog.tsx';
import { toasts } from '../../toasts/toasts.ts';
import { type Account, useChangeAccountMutation } from './accounts-api.ts';

interface ActivityDialogProps {
  readonly account: Account | undefined;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Confirms that an account is deactivated or activated again. */
export function ActivityDialog({ account, open, onClose }: ActivityDialogProps) {
  const [changeAccount] = useChangeAccountMutation();
  if (!account) return null;
  const { id, name, username, isActive } = account;
  const change = async () => {
    await changeAccount({ id, change: { isActive: !isActive } }).unwrap();
    if (isActive) toasts.success(`${name} can no longer sign in.`, 'Member Deactivated');
    else toasts.success(`${name} can sign in again.`, 'Member Activated');
  };
  return (
    <ConfirmDialog
      open={open}
      title={
        <>
          {isActive ? 'Deactivate' : 'Activate'} <bdi>{name}</bdi>?
        </>
      }
      text={
        isActive
          ? `The account ${username} will be signed out immediately and cannot sign in until a team member activates it again.`
          : `The account ${username} can sign in again with its previous password.`
      }
      confirmLabel={isActive ? 'Deactivate' : 'Activate'}
      pendingLabel={isActive ? 'Deactivating...' : 'Activating...'}
      failureText={`Failed to ${isActive ? 'deactivate' : 'activate'} the account. Please try again.`}
      onConfirm={change}
      onClose={onClose}
    />
  );
}
