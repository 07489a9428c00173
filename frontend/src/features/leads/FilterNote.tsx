import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { Link as RouterLink, type To } from 'react-router-dom';

interface FilterNoteProps {
  readonly label: string;
  /** The address of the page without the filter. */
  readonly all: To;
}

/** Says which leads the table shows, and opens all of them. */
export function FilterNote({ label, all }: FilterNoteProps) {
  return (
    <Box
      component="p"
      sx={{ display: 'flex', flexWrap: 'wrap', gap: '2px 16px', margin: 0, paddingBlock: 1.25, fontSize: '0.875rem' }}
    >
      <strong>{label}</strong>
      <Link component={RouterLink} to={all} replace>
        Show all leads
      </Link>
    </Box>
  );
}
