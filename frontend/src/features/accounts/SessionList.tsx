import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { isRequestFailure } from '../../api-client/request.ts';
import { formatDateTime } from '../../format/dates.ts';
import { EmptyState } from '../../staff-ui/lists/EmptyState.tsx';
import { LoadedList } from '../../staff-ui/lists/LoadedList.tsx';
import { StatusChip } from '../../staff-ui/lists/StatusChip.tsx';
import { failureTextOf } from '../../staff-ui/failure-text.ts';
import { toasts } from '../../toasts/toasts.ts';
import {
  type OwnSession,
  useEndOtherSessionsMutation,
  useEndOwnSessionMutation,
  useOwnSessionsQuery,
} from './own-account-api.ts';

const Item = styled('li')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: '6px 16px',
  paddingBlock: 12,
  borderTop: '1px solid var(--dt-palette-divider)',
  '&:first-of-type': { borderTop: 0, paddingTop: 0 },
});

/** The sessions of the signed-in account, each with a button that ends it. A device can be known without a session. */
export function SessionList() {
  const query = useOwnSessionsQuery();
  const [endOthers, { isLoading }] = useEndOtherSessionsMutation();
  const endAll = async () => {
    try {
      await endOthers().unwrap();
      toasts.success('All other devices are signed out, and no device is known any more.', 'Sessions Ended');
    } catch (error) {
      if (!isRequestFailure(error)) throw error;
      toasts.error(failureTextOf(error, 'Could not end the sessions. Please try again.'));
    }
  };
  return (
    <Box aria-busy={query.isFetching}>
      <LoadedList
        query={query}
        failedText="Could not load the sessions."
        rowsToCome={2}
        empty={<EmptyState text="No sessions." />}
      >
        {(all) => (
          <ul aria-label="Sessions">
            {all.map((session) => (
              <SessionItem key={session.id} session={session} />
            ))}
          </ul>
        )}
      </LoadedList>
      <Button variant="outlined" disabled={isLoading} onClick={() => void endAll()} sx={{ marginTop: 1 }}>
        {isLoading ? 'Signing out...' : 'Sign out everywhere else'}
      </Button>
    </Box>
  );
}

function SessionItem({ session: { id, device, address, lastUsedAt, isCurrent } }: { readonly session: OwnSession }) {
  const [end, { isLoading }] = useEndOwnSessionMutation();
  const name = device ?? 'Unknown device';
  const label = isLoading ? 'Ending...' : 'End session';
  const endIt = async () => {
    try {
      await end(id).unwrap();
    } catch (error) {
      if (!isRequestFailure(error)) throw error;
      // Another tab may have ended it in the meantime.
      if (error.status !== 404)
        return toasts.error(failureTextOf(error, 'Could not end the session. Please try again.'));
    }
    toasts.success(`${name} is signed out.`, 'Session Ended');
  };
  return (
    <Item>
      <Box sx={{ flex: '1 1 11rem', minWidth: 0 }}>
        <Typography sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>{name}</Typography>
        <Typography variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
          {address ?? 'Unknown address'} · last used{' '}
          <Box component="span" sx={{ whiteSpace: 'nowrap' }}>
            {formatDateTime(lastUsedAt)}
          </Box>
        </Typography>
      </Box>
      {isCurrent ? (
        <StatusChip tone="cool" label="This device" />
      ) : (
        <Button
          size="small"
          variant="outlined"
          disabled={isLoading}
          // Contains the visible label, for users who speak it (WCAG 2.5.3).
          aria-label={`${label}: ${name}, ${address ?? 'unknown address'}`}
          onClick={() => void endIt()}
        >
          {label}
        </Button>
      )}
    </Item>
  );
}
