import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router-dom';
import { leadsSearchPath, staffPath } from '../../routing/staff-paths.ts';
import { filterLabel, type LeadFilter, unansweredFromYesterday } from './lead-filter.ts';
import type { LeadTab } from './lead-columns.tsx';

interface FilterNoteProps {
  readonly filter: LeadFilter;
  readonly tab: LeadTab;
}

/** Shows which leads the table contains, and opens all of them or yesterday's unanswered ones. */
export function FilterNote({ filter, tab }: FilterNoteProps) {
  const inTab = tab === 'all' ? {} : { tab };
  const isOfDays = (filter.from ?? filter.to) !== undefined;
  return (
    <Box
      component="p"
      sx={{ display: 'flex', flexWrap: 'wrap', gap: '2px 16px', margin: 0, paddingBlock: 1.25, fontSize: '0.875rem' }}
    >
      <strong>{filterLabel(filter)}</strong>
      {!isOfDays && (
        <Link component={RouterLink} to={leadsSearchPath({ ...inTab, ...unansweredFromYesterday() })} replace>
          Unanswered from yesterday
        </Link>
      )}
      <Link component={RouterLink} to={tab === 'all' ? staffPath.leads : leadsSearchPath(inTab)} replace>
        Show all leads
      </Link>
    </Box>
  );
}
