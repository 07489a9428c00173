import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useDispatch } from 'react-redux';
import type { AppDispatch } from '../../store/store.ts';
import { EmptyState } from '../../staff-ui/lists/EmptyState.tsx';
import { PlusIcon } from '../../staff-ui/icons.tsx';
import { LoadedList } from '../../staff-ui/lists/LoadedList.tsx';
import { PageFrame } from '../../layouts/staff/PageFrame.tsx';
import { RefreshButton } from '../../staff-ui/lists/RefreshButton.tsx';
import { useSessionQuery } from '../../features/auth/auth-api.ts';
import { ActivityDialog } from '../../features/accounts/ActivityDialog.tsx';
import { AddAccountDialog } from '../../features/accounts/AddAccountDialog.tsx';
import { reloadAuditLog } from '../../features/accounts/audit-log-api.ts';
import { AuditLog } from '../../features/accounts/AuditLog.tsx';
import { EmailDialog } from '../../features/accounts/EmailDialog.tsx';
import { NewPasswordDialog } from '../../features/accounts/NewPasswordDialog.tsx';
import { RoleDialog } from '../../features/accounts/RoleDialog.tsx';
import { RolesNote } from '../../features/accounts/RolesNote.tsx';
import { OwnersOnly } from '../../staff-ui/roles/OwnersOnly.tsx';
import { useMayCall } from '../../staff-ui/roles/use-may-call.ts';
import { type Account, useAccountsQuery } from '../../features/accounts/accounts-api.ts';
import { type AccountAction, AccountTable } from '../../features/accounts/AccountTable.tsx';

/** The staff accounts (docs/PRODUCT.md, "Team page"). */
export function AccountsPage() {
  const dispatch = useDispatch<AppDispatch>();
  const query = useAccountsQuery();
  const { data: members, isFetching, fulfilledTimeStamp, refetch } = query;
  const { data: signedIn } = useSessionQuery();
  const mayAdd = useMayCall('addAccount');
  const [open, setOpen] = useState<AccountAction | 'add'>();
  // Kept while its dialog closes, so that the content does not change.
  const [account, setAccount] = useState<Account>();

  const act = (action: AccountAction, chosen: Account) => {
    setAccount(chosen);
    setOpen(action);
  };
  const refresh = () => {
    void refetch();
    dispatch(reloadAuditLog());
  };
  const close = () => setOpen(undefined);
  const active = members?.filter(({ isActive }) => isActive).length ?? 0;

  return (
    <PageFrame
      title="Team"
      introduction={
        members
          ? `${active} of ${members.length} ${members.length === 1 ? 'account is' : 'accounts are'} active.`
          : 'Staff accounts.'
      }
      actions={
        <>
          <RefreshButton isRefreshing={isFetching} loadedAt={fulfilledTimeStamp} onRefresh={refresh} />
          {mayAdd && (
            <Button variant="contained" startIcon={<PlusIcon />} onClick={() => setOpen('add')}>
              Add Member
            </Button>
          )}
        </>
      }
    >
      {members && mayAdd && <RolesNote members={members} />}
      <Box aria-busy={isFetching}>
        <LoadedList
          query={query}
          failedText="Could not load the accounts."
          rowsToCome={4}
          empty={<EmptyState text="No accounts yet." />}
        >
          {(all) => <AccountTable members={all} ownId={signedIn?.id} onAct={act} />}
        </LoadedList>
      </Box>
      {members && (
        <OwnersOnly call="auditLog" what="add and change accounts, and read the audit log">
          <AuditLog members={members} />
        </OwnersOnly>
      )}
      <AddAccountDialog open={open === 'add'} onClose={close} />
      <RoleDialog account={account} open={open === 'role'} onClose={close} />
      <NewPasswordDialog account={account} open={open === 'password'} onClose={close} />
      <EmailDialog account={account} open={open === 'email'} onClose={close} />
      <ActivityDialog account={account} open={open === 'activity'} onClose={close} />
    </PageFrame>
  );
}
