import { leadDefinitions } from '@dune-tide/domain/leads';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import {
  type Activity,
  type DueLead,
  useDueNextQuery,
  useRecentActivityQuery,
} from '../../features/dashboard/dashboard-api.ts';
import { Urgency } from '../../features/leads/Urgency.tsx';
import { formatDue, responseAt } from '../../features/leads/lead-clock.ts';
import { formatDateTime } from '../../format/dates.ts';
import { leadPath } from '../../routing/staff-paths.ts';
import { EmptyState } from '../../staff-ui/lists/EmptyState.tsx';
import { LoadedList } from '../../staff-ui/lists/LoadedList.tsx';
import { StatusChip, type Tone } from '../../staff-ui/lists/StatusChip.tsx';
import { useNow } from '../../staff-ui/time/use-now.ts';
import { sampleActivity, sampleTasks } from './samples.ts';

const Item = styled('li')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: '2px 16px',
  // The second part moves below the first where that would be too narrow.
  '& > :not(:last-child)': { flex: '1 1 9rem', minWidth: 0 },
  paddingBlock: 11,
  borderTop: '1px solid var(--dt-palette-divider)',
});

/** The number of activities that are shown, so that the two lists have a similar height. */
const shownActivities = 14;

const dueTones: Readonly<Partial<Record<DueLead['response'], Tone>>> = {
  overdue: 'alert',
  soon: 'hot',
  waiting: 'cool',
};

/**
 * The first tab of the dashboard: the recent activity and the leads that are due next. It shows samples while there is
 * nothing but sign-ins (docs/PRODUCT.md, "Dashboard").
 * @param accountId - of the signed-in user
 */
export function Overview({ accountId }: { readonly accountId: string | undefined }) {
  const activity = useRecentActivityQuery();
  const due = useDueNextQuery();
  const isUnused = activity.data?.every(({ type }) => type === 'signed_in') === true && due.data?.length === 0;

  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: { lg: '1fr 1fr' }, columnGap: 6, rowGap: 4 }}>
      <Part heading="Recent Activity" isSample={isUnused}>
        {isUnused ? (
          <SampleActivity />
        ) : (
          <LoadedList
            query={activity}
            failedText="Could not load the recent activity."
            rowsToCome={5}
            empty={<EmptyState text="No activity yet." />}
          >
            {(all) => <ActivityList activities={all.slice(0, shownActivities)} />}
          </LoadedList>
        )}
      </Part>
      <Part heading="Upcoming Tasks" isSample={isUnused}>
        {isUnused ? (
          <SampleTasks />
        ) : (
          <LoadedList
            query={due}
            failedText="Could not load the leads that are due next."
            rowsToCome={5}
            empty={<EmptyState text="Every lead is answered." hint="The leads that are due next are listed here." />}
          >
            {(all) => <DueList leads={all} accountId={accountId} />}
          </LoadedList>
        )}
      </Part>
    </Box>
  );
}

interface PartProps {
  readonly heading: string;
  readonly isSample: boolean;
  readonly children: ReactNode;
}

function Part({ heading, isSample, children }: PartProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Box
        sx={{ display: 'flex', alignItems: 'baseline', justifyContent: 'space-between', gap: 2, marginBottom: 1.25 }}
      >
        <Typography id={id} variant="h2">
          {heading}
        </Typography>
        {isSample && (
          <Typography variant="caption" sx={{ color: 'text.secondary' }}>
            Sample entries
          </Typography>
        )}
      </Box>
      {children}
    </section>
  );
}

function ActivityList({ activities }: { readonly activities: readonly Activity[] }) {
  return (
    <ul>
      {activities.map(({ id, title, leadId, createdAt }) => (
        <Item key={id}>
          <Typography sx={{ overflowWrap: 'anywhere', minWidth: 0 }}>
            {/* An English sentence, even if it starts with an Arabic name. */}
            <bdi dir="ltr">{leadId === null ? title : <LeadLink id={leadId}>{title}</LeadLink>}</bdi>
          </Typography>
          <Aside>
            <time dateTime={createdAt}>{formatDateTime(createdAt)}</time>
          </Aside>
        </Item>
      ))}
    </ul>
  );
}

interface DueListProps {
  readonly leads: readonly DueLead[];
  readonly accountId: string | undefined;
}

function DueList({ leads, accountId }: DueListProps) {
  const now = useNow();
  return (
    <ul>
      {leads.map(({ id, name, kind, owner, ...clock }) => (
        <Item key={id}>
          <Box sx={{ minWidth: 0 }}>
            <Typography sx={{ overflowWrap: 'anywhere', fontWeight: 600 }}>
              <LeadLink id={id}>
                <bdi>{name}</bdi>
              </LeadLink>
            </Typography>
            <Typography variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
              {leadDefinitions[kind].labels.sentence},{' '}
              {owner === null ? 'unowned' : <Owner name={owner.name} isOwn={owner.id === accountId} />}
            </Typography>
          </Box>
          <StatusChip tone={dueTones[responseAt(clock, now)] ?? 'calm'} label={formatDue(clock, now) ?? ''} />
        </Item>
      ))}
    </ul>
  );
}

const Owner = ({ name, isOwn }: { readonly name: string; readonly isOwn: boolean }) =>
  isOwn ? <strong>yours</strong> : <bdi>{name}</bdi>;

const LeadLink = ({ id, children }: { readonly id: string; readonly children: ReactNode }) => (
  <Link component={RouterLink} to={leadPath(id)} underline="hover">
    {children}
  </Link>
);

const SampleActivity = () => (
  <ul>
    {sampleActivity.map(({ what, about, when }) => (
      <Item key={what}>
        <Entry what={what} about={about} />
        <Aside>{when}</Aside>
      </Item>
    ))}
  </ul>
);

const SampleTasks = () => (
  <ul>
    {sampleTasks.map(({ what, about, due, priority }) => (
      <Item key={what}>
        <Entry what={what} about={about} />
        <Box sx={{ textAlign: 'right' }}>
          <Urgency urgency={priority} />
          <Aside>{due}</Aside>
        </Box>
      </Item>
    ))}
  </ul>
);

function Entry({ what, about }: { readonly what: string; readonly about: string }) {
  return (
    <div>
      <Typography sx={{ fontWeight: 600 }}>{what}</Typography>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {about}
      </Typography>
    </div>
  );
}

function Aside({ children }: { readonly children: ReactNode }) {
  return (
    <Typography variant="caption" component="p" sx={{ color: 'text.secondary', whiteSpace: 'nowrap' }}>
      {children}
    </Typography>
  );
}
