import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { EmptyState } from '../../components/admin/EmptyState.tsx';
import { ErrorState } from '../../components/admin/ErrorState.tsx';
import { PlusIcon, RefreshIcon } from '../../components/admin/icons.tsx';
import { PageFrame } from '../../components/admin/PageFrame.tsx';
import { SkeletonRows } from '../../components/admin/SkeletonRows.tsx';
import { useSessionQuery } from '../../features/auth/auth-api.ts';
import { ActivityDialog } from '../../features/team/ActivityDialog.tsx';
import { AddMemberDialog } from '../../features/team/AddMemberDialog.tsx';
import { NewPasswordDialog } from '../../features/team/NewPasswordDialog.tsx';
import { type TeamMember, useTeamQuery } from '../../features/team/team-api.ts';
import { type MemberAction, TeamTable } from '../../features/team/TeamTable.tsx';

/** The staff accounts (decisions, "/admin/team"). */
export function TeamPage() {
  const { data: members, isError, isFetching, refetch } = useTeamQuery();
  const { data: signedIn } = useSessionQuery();
  const [open, setOpen] = useState<MemberAction | 'add'>();
  // Stays when its dialog closes, so that the dialog does not change on its way out.
  const [member, setMember] = useState<TeamMember>();

  const act = (action: MemberAction, chosen: TeamMember) => {
    setMember(chosen);
    setOpen(action);
  };
  const close = () => setOpen(undefined);
  const active = members?.filter(({ isActive }) => isActive).length;

  return (
    <PageFrame
      title="Team"
      introduction={
        active === undefined ? 'Who may sign in here.' : `Who may sign in here: ${active} of ${members?.length}.`
      }
      actions={
        <>
          <Button variant="outlined" startIcon={<RefreshIcon />} disabled={isFetching} onClick={() => void refetch()}>
            Refresh
          </Button>
          <Button variant="contained" startIcon={<PlusIcon />} onClick={() => setOpen('add')}>
            Add member
          </Button>
        </>
      }
    >
      <Box aria-busy={isFetching}>
        {isError && !isFetching ? (
          <ErrorState text="The accounts could not be loaded." onRetry={() => void refetch()} />
        ) : members === undefined ? (
          <SkeletonRows count={4} />
        ) : members.length === 0 ? (
          <EmptyState text="No accounts yet." />
        ) : (
          <TeamTable members={members} ownId={signedIn?.id} onAct={act} />
        )}
      </Box>
      <AddMemberDialog open={open === 'add'} onClose={close} />
      <NewPasswordDialog
        member={member}
        isOwn={member?.id === signedIn?.id}
        open={open === 'password'}
        onClose={close}
      />
      <ActivityDialog member={member} open={open === 'activity'} onClose={close} />
    </PageFrame>
  );
}
