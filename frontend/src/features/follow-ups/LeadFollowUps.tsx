import Link from '@mui/material/Link';
import Skeleton from '@mui/material/Skeleton';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { Fragment, useId } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { leaveFocus } from '../../staff-ui/lists/focus-by-id.ts';
import { formatDateTime } from '../../format/dates.ts';
import { followUpsPath } from '../../routing/staff-paths.ts';
import { kindLabels, lastResponse, stateLabels, timeOf } from './follow-up-labels.ts';
import { type FollowUp, useFollowUpsOfLeadQuery } from './follow-ups-api.ts';

/** Aligns its values with those of the lead above. */
const List = styled('dl')({
  display: 'grid',
  gridTemplateColumns: '7.125rem minmax(0, 1fr)',
  gap: '0.25rem 0.875rem',
  alignItems: 'baseline',
  margin: 0,
  fontSize: '0.9375rem',
  lineHeight: 1.45,
  fontVariantNumeric: 'tabular-nums',
  '& dt': { color: 'var(--dt-palette-text-secondary)', fontSize: '0.8125rem' },
  '& dd': { margin: 0, overflowWrap: 'anywhere' },
});

/** The emails of a lead and their states. */
export function LeadFollowUps({ leadId }: { readonly leadId: string }) {
  const { data, isError, isFetching, refetch } = useFollowUpsOfLeadQuery(leadId, { refetchOnMountOrArgChange: true });
  const titleId = useId();
  return (
    <section aria-labelledby={titleId} aria-busy={isFetching}>
      <Typography id={titleId} variant="h3" sx={{ marginTop: 3, marginBottom: 1 }}>
        Emails
      </Typography>
      {data && <Emails followUps={data} />}
      {!data && !isError && <Skeleton width="60%" height={22} />}
      {!data && isError && (
        <Typography ref={leaveFocus} variant="body2" role="alert">
          Could not load the emails.{' '}
          <Link component="button" type="button" onClick={() => void refetch()}>
            Try again
          </Link>
        </Typography>
      )}
    </section>
  );
}

function Emails({ followUps }: { readonly followUps: readonly FollowUp[] }) {
  if (followUps.length === 0) return <Typography variant="body2">No emails.</Typography>;
  return (
    <List>
      {followUps.map((followUp) => (
        <Fragment key={followUp.id}>
          <dt>{kindLabels[followUp.kind]}</dt>
          <dd>
            <Standing {...followUp} />
          </dd>
        </Fragment>
      ))}
    </List>
  );
}

/**
 * The state of an email, with a link to the list of that state. "Sent" has none, because that list is as long as the
 * list of leads.
 */
function Standing(followUp: FollowUp) {
  const { state } = followUp;
  const response = lastResponse(followUp);
  const { label, time } = stateLabels[state];
  const at = timeOf(followUp);
  return (
    <>
      {state === 'sent' ? (
        label
      ) : (
        <Link component={RouterLink} to={followUpsPath(state)}>
          {label}
        </Link>
      )}
      {at !== null && `${time === label ? '' : `, ${time.toLowerCase()}`} ${formatDateTime(at)}`}
      {(state === 'failed' || state === 'withheld') && response !== null && `: ${response}`}
    </>
  );
}
