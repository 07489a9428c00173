import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Link as RouterLink, useNavigate, useSearchParams } from 'react-router-dom';
import { ActionNotice } from '../../staff-ui/dialogs/ActionNotice.tsx';
import { ErrorState } from '../../staff-ui/lists/ErrorState.tsx';
import { PageFrame } from '../../layouts/staff/PageFrame.tsx';
import { RefreshButton } from '../../staff-ui/lists/RefreshButton.tsx';
import { FormAlert } from '../../form/FormAlert.tsx';
import { ArrowRightIcon } from '../../ui/icons.tsx';
import { StatCards } from '../../features/dashboard/StatCards.tsx';
import { ChartSection } from '../../features/dashboard/ChartSection.tsx';
import { NeedsAnswer } from '../../features/dashboard/NeedsAnswer.tsx';
import {
  useDueNextQuery,
  useRecentActivityQuery,
  useStatsQuery,
  useTrendsQuery,
} from '../../features/dashboard/dashboard-api.ts';
import { useAnnouncementQuery } from '../../features/announcements/announcements-api.ts';
import { useSessionQuery } from '../../features/auth/auth-api.ts';
import { staffPath } from '../../routing/staff-paths.ts';
import { Overview } from './Overview.tsx';

interface DashboardTab {
  readonly id: string;
  readonly label: string;
  readonly content: (accountId: string | undefined) => ReactNode;
}

const tabs: readonly DashboardTab[] = [
  { id: 'overview', label: 'Overview', content: (accountId) => <Overview accountId={accountId} /> },
  {
    id: 'crm',
    label: 'CRM & Leads',
    content: () => (
      <Shortcut
        heading="Customer relations"
        text="Every contact message, service inquiry and career application, newest first."
        path={staffPath.leads}
        action="Go to CRM & Leads"
      />
    ),
  },
  {
    id: 'team',
    label: 'Team',
    content: () => (
      <Shortcut
        heading="Team"
        text="Staff accounts and their roles. Owners add members, set passwords and deactivate accounts."
        path={staffPath.team}
        action="Go to Team"
      />
    ),
  },
  {
    id: 'recipes',
    label: 'Recipes',
    content: () => (
      <Shortcut
        heading="Recipes"
        text="How the studio does things, written down: development, design, marketing, process and clients."
        path={staffPath.recipes}
        action="Go to Recipes"
      />
    ),
  },
];

/** The dashboard (docs/PRODUCT.md, "Dashboard"). */
export function DashboardPage() {
  const stats = useStatsQuery();
  const trends = useTrendsQuery();
  const activity = useRecentActivityQuery();
  const due = useDueNextQuery();
  const { data: signedIn } = useSessionQuery();
  const { data: announced } = useAnnouncementQuery();
  // The counts are those of the navigation, unless Refresh has loaded newer ones.
  const isAnnouncedLater = announced && announced.receivedAt > (stats.fulfilledTimeStamp ?? 0);
  // In the URL, so that Back from a linked page restores the tab.
  const [params, setParams] = useSearchParams();
  const current = tabs.find(({ id }) => id === params.get('tab'))?.id ?? 'overview';

  const navigate = useNavigate();
  const hasFailed = stats.isError && !stats.isFetching;
  const refresh = () => {
    for (const query of [stats, trends, activity, due]) void query.refetch();
  };

  return (
    <PageFrame
      title="Dashboard"
      introduction="Leads, projects and people at a glance."
      actions={
        <RefreshButton
          isRefreshing={[stats, trends, activity, due].some(({ isFetching }) => isFetching)}
          loadedAt={stats.data && stats.fulfilledTimeStamp}
          onRefresh={refresh}
        />
      }
    >
      {signedIn?.hasEmail === false && (
        <ActionNotice action="Add an address" onAct={() => void navigate(staffPath.account)}>
          Your account has no confirmed email address, so you get no emails about changes to your account.
        </ActionNotice>
      )}
      {hasFailed && !stats.data ? (
        <ErrorState text="Could not load the figures." onRetry={refresh} />
      ) : (
        <>
          <FormAlert text={hasFailed ? 'Could not refresh the figures. They may be out of date.' : undefined} />
          <StatCards stats={stats.data} growth={trends.data?.growth} isGrowthComing={trends.isLoading} />
          <NeedsAnswer unanswered={isAnnouncedLater ? announced : stats.data} stats={stats.data} />
        </>
      )}
      <Box sx={{ marginTop: 'clamp(1.5rem, 3vw, 2.5rem)', borderBottom: 1, borderColor: 'divider' }}>
        <Tabs
          value={current}
          onChange={(_event, id: string) => setParams(id === 'overview' ? {} : { tab: id })}
          aria-label="Parts of the dashboard"
          variant="scrollable"
          scrollButtons={false}
        >
          {tabs.map(({ id, label }) => (
            <Tab key={id} value={id} label={label} id={`tab-${id}`} aria-controls={`panel-${id}`} />
          ))}
        </Tabs>
      </Box>
      {tabs.map(({ id, content }) => (
        <Box
          key={id}
          role="tabpanel"
          id={`panel-${id}`}
          aria-labelledby={`tab-${id}`}
          hidden={id !== current}
          tabIndex={0}
          sx={{ paddingTop: 3 }}
        >
          {id === current && content(signedIn?.id)}
        </Box>
      ))}
      <ChartSection
        timeZone={signedIn?.timeZone}
        trends={trends.data}
        hasFailed={trends.isError && !trends.isFetching}
        onRetry={() => void trends.refetch()}
      />
    </PageFrame>
  );
}

interface ShortcutProps {
  readonly heading: string;
  readonly text: string;
  readonly path: string;
  readonly action: string;
}

/** The description of a page in a tab, with a link to it. */
function Shortcut({ heading, text, path, action }: ShortcutProps) {
  return (
    <Box sx={{ maxWidth: '38rem' }}>
      <Typography variant="h2">{heading}</Typography>
      <Typography sx={{ marginTop: 0.75, marginBottom: 2.5, color: 'text.secondary' }}>{text}</Typography>
      <Button component={RouterLink} to={path} variant="contained" endIcon={<ArrowRightIcon />}>
        {action}
      </Button>
    </Box>
  );
}
