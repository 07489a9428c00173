import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { styled } from '@mui/material/styles';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { formatCount } from '../../../format/numbers.ts';
import { leadsSearch, leadsSearchPath, staffPath } from '../../../routing/staff-paths.ts';
import { EditViews } from './EditViews.tsx';
import { builtInViews, type LeadFilter, readFilter, writeFilter } from '../lead-filter.ts';
import { useHeldAsSpamQuery } from '../leads-api.ts';
import { useLeadViewsQuery } from './views-api.ts';

const List = styled('ul')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  gap: '2px 16px',
  '& a[aria-current]': { fontWeight: 700, textDecoration: 'none' },
  // One line that scrolls, so that the leads stay in sight on phones.
  [theme.breakpoints.down('sm')]: {
    flexWrap: 'nowrap',
    overflowX: 'auto',
    // Up to the edges of the window, and with room for the focus rings.
    width: 'calc(100% + 40px)',
    margin: '-4px -20px',
    padding: '4px 20px',
    whiteSpace: 'nowrap',
    scrollbarWidth: 'none',
  },
}));

interface LeadViewsProps {
  readonly filter: LeadFilter;
  /** The time zone of the studio; undefined until it is loaded. */
  readonly timeZone: string | undefined;
}

/**
 * Links to the views of the page and to those that the user has saved, and to the leads that are held as spam, so that
 * none is overlooked.
 */
export function LeadViews({ filter, timeZone }: LeadViewsProps) {
  const { data: held } = useHeldAsSpamQuery();
  const { data: saved = [] } = useLeadViewsQuery();
  const [isEditing, setIsEditing] = useState(false);
  const inTab = filter.tab === 'all' ? {} : { tab: filter.tab };
  const views = [
    ...builtInViews(timeZone).map(({ name, part }) => ({ id: name, name, search: leadsSearch({ ...part, ...inTab }) })),
    // Fields that an earlier release knew are dropped.
    ...saved.map(({ id, name, search }) => ({ id, name, search: writeFilter(readFilter(search)) })),
  ];
  return (
    <Box
      sx={{
        display: 'flex',
        displayPrint: 'none',
        flexWrap: 'wrap',
        justifyContent: 'space-between',
        gap: '4px 24px',
        minHeight: '1.75rem',
        paddingTop: 1.5,
        fontSize: '0.875rem',
      }}
    >
      <List aria-label="Views">
        {views.map(({ id, name, search }) => {
          const isCurrent = writeFilter(readFilter(search)) === writeFilter(filter);
          return (
            <li key={id}>
              <Link component={RouterLink} to={staffPath.leads + search} aria-current={isCurrent ? 'page' : undefined}>
                <bdi>{name}</bdi>
              </Link>
            </li>
          );
        })}
        <li>
          <Link
            component="button"
            type="button"
            onClick={() => setIsEditing(true)}
            sx={{ font: 'inherit', color: 'text.secondary', verticalAlign: 'baseline' }}
          >
            Edit views
          </Link>
        </li>
      </List>
      <EditViews open={isEditing} views={saved} onClose={() => setIsEditing(false)} />
      {held !== undefined && held.count > 0 && filter.spam === '' && (
        <span>
          {held.isMore && 'over '}
          {formatCount(held.count)} held as possible spam ·{' '}
          <Link component={RouterLink} to={leadsSearchPath({ spam: 'only' })}>
            Review
          </Link>
        </span>
      )}
    </Box>
  );
}
