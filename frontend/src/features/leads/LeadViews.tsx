import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { styled } from '@mui/material/styles';
import { Link as RouterLink } from 'react-router-dom';
import { formatCount } from '../../format/numbers.ts';
import { leadsSearch, leadsSearchPath, staffPath } from '../../routing/staff-paths.ts';
import { builtInViews, type LeadFilter, readFilter, writeFilter } from './lead-filter.ts';
import { useHeldAsSpamQuery } from './leads-api.ts';

const List = styled('ul')({
  display: 'flex',
  flexWrap: 'wrap',
  gap: '2px 16px',
  margin: 0,
  padding: 0,
  listStyle: 'none',
  '& a[aria-current]': { fontWeight: 700, textDecoration: 'none' },
});

interface LeadViewsProps {
  readonly filter: LeadFilter;
}

/** Links to the views of the page, and to the leads that are held as spam, so that none is overlooked. */
export function LeadViews({ filter }: LeadViewsProps) {
  const { data: held } = useHeldAsSpamQuery();
  const inTab = filter.tab === 'all' ? {} : { tab: filter.tab };
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
        {builtInViews().map(({ name, part }) => {
          const search = leadsSearch({ ...part, ...inTab });
          const isCurrent = writeFilter(readFilter(search)) === writeFilter(filter);
          return (
            <li key={name}>
              <Link component={RouterLink} to={staffPath.leads + search} aria-current={isCurrent ? 'page' : undefined}>
                {name}
              </Link>
            </li>
          );
        })}
      </List>
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
