import { followUpStates, transports, type FollowUpState, type TransportName } from '@dune-tide/domain/follow-ups';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import visuallyHidden from '@mui/utils/visuallyHidden';
import { useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import { NewTabIcon } from '../../staff-ui/icons.tsx';
import { PageFrame } from '../../layouts/staff/PageFrame.tsx';
import { RefreshButton } from '../../staff-ui/lists/RefreshButton.tsx';
import { TabLabel } from '../../staff-ui/lists/TabLabel.tsx';
import { ChangeAllButton } from '../../features/follow-ups/ChangeAllButton.tsx';
import { formatDuration, oldestTime } from '../../format/dates.ts';
import {
  capitalized,
  changesOf,
  counted,
  nouns,
  stateTabs,
  stateLabels,
} from '../../features/follow-ups/follow-up-labels.ts';
import { FollowUpPanel } from '../../features/follow-ups/FollowUpPanel.tsx';
import { OptOuts } from '../../features/follow-ups/OptOuts.tsx';
import { OwnersOnly } from '../../staff-ui/roles/OwnersOnly.tsx';
import { useMayCall } from '../../staff-ui/roles/use-may-call.ts';
import {
  type FollowUpCounts,
  useFollowUpCountsQuery,
  useFollowUpsInfiniteQuery,
} from '../../features/follow-ups/follow-ups-api.ts';

const panelId = 'follow-ups-panel';
const tabId = (state: FollowUpState) => `follow-ups-tab-${state}`;

/** The automatic emails, or the webhooks if there are any, by state, with their actions (docs/PRODUCT.md, "Follow-ups page"). */
export function FollowUpsPage() {
  const [params, setParams] = useSearchParams();
  const { state, transport } = shownIn(params);
  const { data, isError, isFetching, fulfilledTimeStamp, refetch } = useFollowUpCountsQuery(transport, {
    refetchOnMountOrArgChange: true,
  });
  const webhooks = useFollowUpCountsQuery('webhook', { refetchOnMountOrArgChange: true });
  const hasWebhooks = followUpStates.some((each) => (webhooks.data?.counts[each] ?? 0) > 0);
  const list = useFollowUpsInfiniteQuery({ state, transport });
  const show = (chosen: { readonly state?: FollowUpState; readonly transport?: TransportName }) => {
    // The URL is ahead of the rendered page if one press follows another quickly.
    const next = { ...shownIn(new URLSearchParams(window.location.search)), ...chosen };
    setParams(next.transport === 'email' ? { state: next.state } : next);
  };
  const panel = useRef<HTMLDivElement>(null);
  const focusPanel = () => panel.current?.focus();
  const mayChangeAll = useMayCall('retryFollowUps');
  const [all] = changesOf(state);

  return (
    <PageFrame
      title={transport === 'webhook' ? 'Webhooks' : 'Automatic emails'}
      introduction={introduction(data, isError, transport)}
      actions={
        <>
          <RefreshButton
            isRefreshing={isFetching || list.isFetching}
            loadedAt={oldestTime([
              fulfilledTimeStamp,
              ...(list.data?.pages.map(({ loadedAt }) => loadedAt) ?? [undefined]),
            ])}
            onRefresh={() => void Promise.all([refetch(), webhooks.refetch(), list.refetch()])}
          />
          <Button variant="outlined" href="/api/admin/queue" target="_blank" rel="noopener" endIcon={<NewTabIcon />}>
            Queue board
            <span style={visuallyHidden}> (opens in a new tab)</span>
          </Button>
          {all && mayChangeAll && (
            <ChangeAllButton
              key={`${transport} ${state}`}
              all={{ ...all, transport }}
              count={data?.counts[state] ?? 0}
              onGone={focusPanel}
            />
          )}
        </>
      }
    >
      {(hasWebhooks || transport === 'webhook') && (
        <ToggleButtonGroup
          exclusive
          size="small"
          value={transport}
          onChange={(_, chosen: TransportName | null) => chosen && show({ transport: chosen })}
          aria-label="What is shown"
          sx={{ marginBottom: 1 }}
        >
          {transports.map((each) => (
            <ToggleButton key={each} value={each}>
              {capitalized(nouns[each].several)}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
      )}
      <Box sx={{ borderBottom: 1, borderColor: 'divider' }}>
        <Tabs
          value={state}
          onChange={(_, chosen: FollowUpState) => show({ state: chosen })}
          aria-label={`States of ${nouns[transport].several}`}
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
        {all && (data?.counts[state] ?? 0) > 0 && (
          <OwnersOnly
            call="retryFollowUps"
            what={`${all.change} all ${stateLabels[state].label.toLowerCase()} ${nouns[transport].several}`}
          />
        )}
        <FollowUpPanel key={`${transport} ${state}`} state={state} transport={transport} />
      </Box>
      {transport === 'email' && <OptOuts />}
    </PageFrame>
  );
}

/** Returns what the query of the address selects. */
function shownIn(params: URLSearchParams): { readonly state: FollowUpState; readonly transport: TransportName } {
  return {
    state: stateTabs.find((each) => each === params.get('state')) ?? stateTabs[0] ?? 'pending',
    transport: params.get('transport') === 'webhook' ? 'webhook' : 'email',
  };
}

function introduction(data: FollowUpCounts | undefined, isError: boolean, transport: TransportName): string {
  const { several } = nouns[transport];
  if (isError) return 'Could not load the counts.';
  if (data === undefined) {
    return transport === 'webhook'
      ? 'Events of leads, sent to another system.'
      : 'Emails sent to visitors and staff for each lead.';
  }
  const { counts, oldestWaitingSeconds } = data;
  const waiting =
    oldestWaitingSeconds === null
      ? `No ${several} are waiting.`
      : `${counted(counts.pending + counts.sending, transport)} waiting or being sent, the oldest for ${formatDuration(oldestWaitingSeconds)}.`;
  const failed = `${counts.failed === 0 ? 'None' : counted(counts.failed, transport)} failed.`;
  return [waiting, failed, ...(counts.withheld === 0 ? [] : [`${counted(counts.withheld, transport)} withheld.`])].join(
    ' ',
  );
}
