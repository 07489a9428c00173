import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router-dom';
import { type Column, ColumnHeads } from '../../staff-ui/lists/ColumnHeads.tsx';
import { DataTable, rowsAsBlocks } from '../../staff-ui/lists/data-table.ts';
import { VirtualBody, type VirtualRow } from '../../staff-ui/lists/VirtualBody.tsx';
import { StatusChip } from '../../staff-ui/lists/StatusChip.tsx';
import { formatDateTime } from '../../format/dates.ts';
import { staffPath } from '../../routing/staff-paths.ts';
import { useMayCall } from '../../staff-ui/roles/use-may-call.ts';
import type { Account } from './accounts-api.ts';
import { roleLabels } from './role-labels.ts';

export type AccountAction = 'role' | 'password' | 'email' | 'activity';

interface AccountTableProps {
  readonly members: readonly Account[];
  /** The signed-in user's own account, which they change on the account page. */
  readonly ownId: string | undefined;
  readonly onAct: (action: AccountAction, account: Account) => void;
}

const Table = styled(DataTable)(({ theme }) => ({
  [theme.breakpoints.down('lg')]: {
    ...rowsAsBlocks({
      display: 'grid',
      gridTemplateAreas: '"name status" "username role" "time actions"',
      gridTemplateColumns: '1fr auto',
      gap: '2px 16px',
      paddingBlock: 14,
    }),
    '& td': { fontSize: '0.875rem' },
  },
  [theme.breakpoints.down('sm')]: {
    '& tr': { gridTemplateAreas: '"name status" "username role" "time time" "actions actions"' },
    '& tr > :last-child': { marginTop: 8 },
    // All actions fit into one line of a phone.
    '& .MuiButton-text': { minWidth: 0, paddingInline: 8 },
  },
}));

const columns: readonly Column[] = [
  ['Name', '16%'],
  'Username',
  ['Last sign-in', '10rem'],
  ['Role', '6rem'],
  ['Status', '6.5rem'],
];

/** The actions take two lines in windows that are less than 90rem wide. */
const actionsWidth = 'clamp(14rem, 90vw - 58.5rem, 22.5rem)';

/** The accounts of the team. */
export function AccountTable({ members, ownId, onAct }: AccountTableProps) {
  const mayChange = useMayCall('changeAccount');
  return (
    <Table aria-label="Staff accounts" aria-rowcount={members.length + 1}>
      <ColumnHeads columns={[...columns, ['Actions', mayChange ? actionsWidth : '10rem']]} />
      <VirtualBody table="Staff accounts" items={members} minHeight={3.75}>
        {(account, row) => <Row row={row} account={account} isOwn={account.id === ownId} onAct={onAct} />}
      </VirtualBody>
    </Table>
  );
}

interface RowProps {
  readonly row: VirtualRow;
  readonly account: Account;
  readonly isOwn: boolean;
  readonly onAct: AccountTableProps['onAct'];
}

function Row({ row, account, isOwn, onAct }: RowProps) {
  const { name, username, email, pendingEmail, role, lastSignInAt, isActive } = account;
  const mayChange = useMayCall('changeAccount');
  // Two accounts may have the same name.
  const who = `${name}, ${username}`;
  return (
    <tr {...row}>
      <Box component="th" scope="row" sx={{ gridArea: 'name' }}>
        <Typography component="bdi" sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
          {name}
        </Typography>
        {isOwn && (
          <Typography component="span" variant="caption" sx={{ color: 'text.secondary' }}>
            {' (you)'}
          </Typography>
        )}
      </Box>
      <Box component="td" sx={{ gridArea: 'username', overflowWrap: 'anywhere', color: 'text.secondary' }}>
        {username}
        {email !== null && (
          <Typography variant="caption" component="p">
            {email}
          </Typography>
        )}
        {pendingEmail !== null && (
          <Typography variant="caption" component="p">
            {pendingEmail} (not confirmed yet)
          </Typography>
        )}
      </Box>
      <Box component="td" sx={{ gridArea: 'time', whiteSpace: { lg: 'nowrap' } }}>
        <Box component="span" sx={{ display: { lg: 'none' }, color: 'text.secondary' }}>
          Last sign-in:{' '}
        </Box>
        {lastSignInAt === null ? 'Never' : formatDateTime(lastSignInAt)}
      </Box>
      <Box component="td" sx={{ gridArea: 'role', alignSelf: 'start', justifySelf: 'end' }}>
        {roleLabels[role]}
      </Box>
      <Box component="td" sx={{ gridArea: 'status', alignSelf: 'start', justifySelf: 'end' }}>
        <StatusChip tone={isActive ? 'cool' : 'calm'} label={isActive ? 'Active' : 'Inactive'} />
      </Box>
      <Box component="td" sx={{ gridArea: 'actions', '& > *': { whiteSpace: 'nowrap' } }}>
        {isOwn ? (
          <Button size="small" variant="outlined" component={RouterLink} to={staffPath.account}>
            Your account
          </Button>
        ) : (
          mayChange && (
            <>
              <Button
                size="small"
                variant="outlined"
                aria-label={`New password for ${who}`}
                onClick={() => onAct('password', account)}
              >
                New password
              </Button>
              <Button
                size="small"
                aria-label={`Email of ${who}`}
                onClick={() => onAct('email', account)}
                sx={{ marginLeft: 1 }}
              >
                Email
              </Button>
              <Button size="small" aria-label={`Role of ${who}`} onClick={() => onAct('role', account)}>
                Role
              </Button>
              <Button
                size="small"
                aria-label={`${isActive ? 'Deactivate' : 'Activate'} ${who}`}
                onClick={() => onAct('activity', account)}
              >
                {isActive ? 'Deactivate' : 'Activate'}
              </Button>
            </>
          )
        )}
      </Box>
    </tr>
  );
}
