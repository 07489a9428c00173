import type { FollowUpState } from '@dune-tide/domain/follow-ups';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { EmptyState } from '../../components/admin/EmptyState.tsx';
import { LoadedList } from '../../components/admin/LoadedList.tsx';
import { useLateAnswer } from '../../components/admin/use-late-answer.ts';
import { FormAlert } from '../../components/form/FormAlert.tsx';
import { isRequestFailure } from '../../lib/request.ts';
import { useToasts } from '../../lib/toasts/use-toasts.ts';
import { changeWords, stateWords } from './follow-up-words.ts';
import {
  type ChangeKind,
  type FollowUp,
  useChangeFollowUpMutation,
  useFollowUpsInfiniteQuery,
} from './follow-ups-api.ts';
import { FollowUpTable } from './FollowUpTable.tsx';

interface FollowUpPanelProps {
  readonly state: FollowUpState;
  /** Called when a row is gone, which may have had the focus. */
  readonly onRowGone: () => void;
}

/** The follow-ups of a state, page by page, and what can be done with each. */
export function FollowUpPanel({ state, onRowGone }: FollowUpPanelProps) {
  const { data, isError, isFetching, isFetchingNextPage, hasNextPage, isFetchNextPageError, fetchNextPage, refetch } =
    useFollowUpsInfiniteQuery(state, { refetchOnMountOrArgChange: true });
  const { failure, pending, change } = useChange(onRowGone);
  const followUps = data?.pages.flatMap((page) => page.followUps);
  const { label, empty } = stateWords[state];

  return (
    <Box aria-busy={isFetching}>
      <FormAlert text={failure} />
      <LoadedList
        items={followUps}
        hasFailed={isError && !isFetching && !isFetchNextPageError}
        failedText="The follow-ups could not be loaded."
        onRetry={() => void refetch()}
        rowsToCome={5}
        empty={<EmptyState text={empty} />}
      >
        {(all) => <FollowUpTable label={`${label} emails`} followUps={all} pending={pending} onChange={change} />}
      </LoadedList>
      {isFetchNextPageError && <FormAlert text="Failed to load more. Please try again." />}
      {followUps !== undefined && hasNextPage && (
        <Box sx={{ marginTop: 2, textAlign: 'center' }}>
          <Button variant="outlined" onClick={isFetchingNextPage ? undefined : () => void fetchNextPage()}>
            {isFetchingNextPage ? 'Loading...' : 'Load more'}
          </Button>
        </Box>
      )}
    </Box>
  );
}

/** Changes follow-ups, each on its own; a failure is said where the list stands. */
function useChange(onRowGone: () => void) {
  const [send] = useChangeFollowUpMutation();
  const toasts = useToasts();
  const { isThere, tellIfGone } = useLateAnswer();
  const [pending, setPending] = useState<ReadonlyMap<string, ChangeKind>>(new Map());
  const [failure, setFailure] = useState<string>();

  async function change(followUp: FollowUp, kind: ChangeKind): Promise<void> {
    const { id, recipient } = followUp;
    const pressed = document.activeElement;
    setPending((changes) => new Map([...changes, [id, kind]]));
    setFailure(undefined);
    try {
      await send({ followUp, change: kind }).unwrap();
      toasts.success(`The email to ${recipient} ${changeWords[kind].done}.`, `Follow-up ${changeWords[kind].title}`);
      const { activeElement } = document;
      if (isThere() && (activeElement === pressed || activeElement === document.body)) onRowGone();
    } catch (error) {
      if (!isRequestFailure(error)) throw error;
      const text =
        error.status === 409
          ? `The email to ${recipient} is in another state by now. The list has been read anew.`
          : `Failed to ${kind} the email to ${recipient}. Please try again.`;
      tellIfGone(error, text);
      setFailure(text);
    } finally {
      setPending((changes) => new Map([...changes].filter(([each]) => each !== id)));
    }
  }
  return { failure, pending, change: (followUp: FollowUp, kind: ChangeKind) => void change(followUp, kind) };
}
