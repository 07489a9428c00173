import type { Lead } from '@dune-tide/domain/responses/lead';
import Link from '@mui/material/Link';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { Link as RouterLink, useLocation } from 'react-router-dom';
import { leaveFocus } from '../../../staff-ui/lists/focus-by-id.ts';
import { formatDate } from '../../../format/dates.ts';
import { kindLabel, leadStatus, leadSubject, statusLabel } from '../lead-labels.ts';
import { useLeadsOfAddressQuery } from '../leads-api.ts';
import { useLeadAddress } from '../use-lead-address.ts';

const List = styled('ul')({
  marginTop: '0.5rem',
  fontSize: '0.875rem',
  lineHeight: 1.45,
  '& > li': { paddingBlock: '0.25rem', overflowWrap: 'anywhere' },
  '& time': { whiteSpace: 'nowrap' },
});

/** The number of leads that are shown first. */
const shownFirst = 5;

/** The other leads with the same email address, newest first; nothing without any. */
export function SamePerson({ lead }: { readonly lead: Lead }) {
  const addressOf = useLeadAddress();
  const titleId = useId();
  const { state } = useLocation();
  const { data, isError, refetch } = useLeadsOfAddressQuery(lead.email, { refetchOnMountOrArgChange: true });
  const [isWhole, setIsWhole] = useState(false);
  const others = data?.filter(({ id }) => id !== lead.id) ?? [];
  if (others.length === 0 && !isError) return null;
  return (
    <section aria-labelledby={titleId}>
      <Typography id={titleId} variant="h3" sx={{ marginTop: 3 }}>
        Also from this person
      </Typography>
      {isError && (
        <Typography ref={leaveFocus} variant="body2" role="alert" sx={{ marginTop: 1 }}>
          Could not load the other leads.{' '}
          <Link component="button" type="button" onClick={() => void refetch()}>
            Try again
          </Link>
        </Typography>
      )}
      <List>
        {others.slice(0, isWhole ? others.length : shownFirst).map((each) => (
          <li key={each.id}>
            <Link component={RouterLink} to={addressOf(each)} replace state={state}>
              {kindLabel(each.kind)}
              {leadSubject(each) !== undefined && (
                <>
                  : <bdi>{leadSubject(each)}</bdi>
                </>
              )}
            </Link>
            {`, ${statusLabel(leadStatus(each))}, `}
            <time dateTime={each.createdAt}>{formatDate(each.createdAt)}</time>
          </li>
        ))}
      </List>
      {!isWhole && others.length > shownFirst && (
        <Link component="button" type="button" onClick={() => setIsWhole(true)}>
          Show all {others.length}
        </Link>
      )}
    </section>
  );
}
