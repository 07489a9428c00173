import type { FollowUpState } from '@dune-tide/domain/follow-ups';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import visuallyHidden from '@mui/utils/visuallyHidden';
import { useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import { NewTabIcon } from '../../staff-ui/icons.tsx';
import { PageFrame } from '../../layouts/staff/PageFrame.tsx';
import { RefreshButton } from '../../staff-ui/lists/RefreshButton.tsx';
import { TabLabel } from '../../staff-ui/lists/TabLabel.tsx';
import { ChangeAllButton } from '../../features/follow-ups/ChangeAllButton.tsx';
import { formatDuration, oldestTime } from '../../format/dates.ts';
import { changesOf, emails, stateTabs, stateLabels } from '../../features/follow-ups/follow-up-labels.ts';
import { FollowUpPanel } from '../../features/follow-ups/FollowUpPanel.tsx';
import { OptOuts } from '../../features/follow-ups/OptOuts.tsx';
import {
  type FollowUpCounts,
  useFollowUpCountsQuery,
  useFollowUpsInfiniteQuery,
} from '../../features/follow-ups/follow-ups-api.ts';

const panelId = 'follow-ups-panel';
const tabId = (state: FollowUpState) => `follow-ups-tab-${state}`;

/** The automatic emails by state, with their actions (docs/PRODUCT.md, "Follow-ups page"). */
export function FollowUpsPage() {
  const [params, setParams] = useSearchParams();
  const state = stateTabs.find((each) => each === params.get('state')) ?? stateTabs[0] ?? 'pending';
  const { data, isError, isFetching, fulfilledTimeStamp, refetch } = useFollowUpCountsQuery(undefined, {
    refetchOnMountOrArgChange: true,
  });
  const list = useFollowUpsInfiniteQuery(state);
  const panel = useRef<HTMLDivElement>(null);
  const focusPanel = () => panel.current?.focus();
  const [all] = changesOf(state);

  return (
    <PageFrame
      title="Automatic emails"
      introduction={introduction(data, isError)}
      actions={
        <>
          <RefreshButton
            isRefreshing={isFetching || list.isFetching}
            loadedAt={oldestTime([
              fulfilledTimeStamp,
              ...(list.data?.pages.map(({ loadedAt }) => loadedAt) ?? [undefined]),
            ])}
            onRefresh={() => void Promise.all([refetch(), list.refetch()])}
          />
          <Button variant="outlined" href="/api/admin/queue" target="_blank" rel="noopener" endIcon={<NewTabIcon />}>
            Queue board
            <span style={visuallyHidden}> (opens in a new tab)</span>
          </Button>
          {all && <ChangeAllButton key={state} all={all} count={data?.counts[state] ?? 0} onGone={focusPanel} />}
        </>
      }
    >
      <Box sx={{ borderBottom: 1, borderColor: 'divider' }}>
        <Tabs
          value={state}
          onChange={(_, chosen: FollowUpState) => setParams({ state: chosen }, { replace: true })}
          aria-label="States of emails"
          variant="scrollable"
          scrollButtons={false}
        >
          {stateTabs.map((each) => (
            <Tab
              key={each}
              value={each}
              id={tabId(each)}
              aria-controls={panelId}
              label={<TabLabel label={stateLabels[each].label} total={data?.counts[each]} />}
            />
          ))}
        </Tabs>
      </Box>
      <Box ref={panel} role="tabpanel" id={panelId} tabIndex={-1} aria-labelledby={tabId(state)} sx={{ outline: 0 }}>
        <FollowUpPanel key={state} state={state} />
      </Box>
      <OptOuts />
    </PageFrame>
  );
}

function introduction(data: FollowUpCounts | undefined, isError: boolean): string {
  if (isError) return 'Could not load the counts.';
  if (data === undefined) return 'Emails sent to visitors and staff for each lead.';
  const { counts, oldestWaitingSeconds } = data;
  const waiting =
    oldestWaitingSeconds === null
      ? 'No emails are waiting.'
      : `${emails(counts.pending + counts.sending)} waiting or being sent, the oldest for ${formatDuration(oldestWaitingSeconds)}.`;
  const failed = `${counts.failed === 0 ? 'None' : emails(counts.failed)} failed.`;
  return [waiting, failed, ...(counts.withheld === 0 ? [] : [`${emails(counts.withheld)} withheld.`])].join(' ');
}
