import { followUpRules } from '@dune-tide/domain/follow-ups';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { type MouseEvent, useEffect, useState } from 'react';
import { EmptyState } from '../../staff-ui/lists/EmptyState.tsx';
import { PagedList } from '../../staff-ui/lists/PagedList.tsx';
import { FormAlert } from '../../form/FormAlert.tsx';
import { itemsOf } from '../../api-client/pagination.ts';
import { isRequestFailure } from '../../api-client/request.ts';
import { useMayCall } from '../../staff-ui/roles/use-may-call.ts';
import { failureTextOf, leadDeletedText } from '../../staff-ui/failure-text.ts';
import { toasts } from '../../toasts/toasts.ts';
import { useDoublePress } from '../../ui/use-double-press.ts';
import { type CorrectableEmail, CorrectAddressDialog } from './CorrectAddressDialog.tsx';
import { capitalized, changeLabels, emailTo, nouns, stateLabels } from './follow-up-labels.ts';
import {
  type ChangeKind,
  type FollowUp,
  type FollowUpList,
  useChangeFollowUpMutation,
  useFollowUpsInfiniteQuery,
} from './follow-ups-api.ts';
import { FollowUpTable } from './FollowUpTable.tsx';

/** The emails or webhooks in a state, page by page, with their actions. */
export function FollowUpPanel({ state, transport }: FollowUpList) {
  const { several } = nouns[transport];
  const query = useFollowUpsInfiniteQuery({ state, transport }, { refetchOnMountOrArgChange: true });
  const { failure, pending, change } = useChange();
  const followUps = itemsOf(query.data);
  const { empty, hint } = stateLabels[state];
  const correction = useCorrection(followUps);

  return (
    <Box aria-busy={query.isFetching}>
      <FormAlert text={failure} isSilent />
      {hint !== undefined && !!followUps?.length && (
        <Typography variant="body2" sx={{ marginY: 2, color: 'text.secondary' }}>
          {hint}
        </Typography>
      )}
      <PagedList
        query={query}
        failedText={`Could not load the ${several}.`}
        rowsToCome={5}
        empty={<EmptyState text={empty(several)} />}
      >
        {(all) => (
          <FollowUpTable
            state={state}
            transport={transport}
            followUps={all}
            pending={pending}
            onChange={change}
            onCorrect={correction.start}
          />
        )}
      </PagedList>
      <CorrectAddressDialog {...correction.dialog} />
    </Box>
  );
}

/**
 * Corrects the address of a failed email, which then leaves the list.
 * @param followUps - the emails that are shown
 */
function useCorrection(followUps: readonly FollowUp[] = []) {
  const [email, setEmail] = useState<CorrectableEmail>();
  const [correctedId, setCorrectedId] = useState<string>();
  const isGone = correctedId !== undefined && !email && !followUps.some(({ id }) => id === correctedId);
  // The dialog would return the focus to a button that has disappeared with its row.
  useEffect(() => {
    if (isGone && document.activeElement === document.body) focusPanel();
  }, [isGone]);
  return {
    start: ({ id, leadId, recipient }: FollowUp): void => {
      if (leadId === null || recipient === null) return;
      setEmail({ id, leadId, recipient });
      setCorrectedId(undefined);
    },
    dialog: { email, onCorrected: () => setCorrectedId(email?.id), onClose: () => setEmail(undefined) },
  };
}

const focusPanel = (): void => document.querySelector<HTMLElement>('[role="tabpanel"]')?.focus();

/** Retries or cancels single follow-ups. A failure stays visible above the list. */
function useChange() {
  const [send] = useChangeFollowUpMutation();
  const [pending, setPending] = useState<ReadonlyMap<string, ChangeKind>>(new Map());
  const [failure, setFailure] = useState<string>();
  const doublePress = useDoublePress();
  const mayAllow = useMayCall('removeOptOut');

  async function change(followUp: FollowUp, kind: ChangeKind, press: MouseEvent): Promise<void> {
    const { id } = followUp;
    // A second press would hit the next row, which has moved to the place of the removed one.
    if (doublePress.isSecond(press)) return;
    const email = emailTo(followUp);
    setPending((changes) => new Map([...changes, [id, kind]]));
    setFailure(undefined);
    try {
      await send({ followUp, change: kind }).unwrap();
      doublePress.tookEffect(press);
      toasts.success(
        `The ${email} ${changeLabels[kind].done}.`,
        `${capitalized(nouns[followUpRules[followUp.kind].transport].one)} ${changeLabels[kind].title}`,
      );
    } catch (error) {
      if (!isRequestFailure(error)) throw error;
      const text =
        error.status === 409
          ? followUp.withheldReason === 'opted_out'
            ? `The ${email} stays withheld. ${mayAllow ? 'First allow emails to the address below.' : 'Only an owner can allow emails to the address.'}`
            : `The status of the ${email} has changed. The list has been refreshed.`
          : error.status === 404
            ? leadDeletedText
            : failureTextOf(error, `Failed to ${kind} the ${email}. Please try again.`);
      // The row may be far below the top of the list, where the failure is shown.
      toasts.error(text);
      setFailure(text);
    } finally {
      setPending((changes) => new Map([...changes].filter(([each]) => each !== id)));
    }
  }
  return {
    failure,
    pending,
    change: (followUp: FollowUp, kind: ChangeKind, press: MouseEvent) => void change(followUp, kind, press),
  };
}
