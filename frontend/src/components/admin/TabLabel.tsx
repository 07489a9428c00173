import Box from '@mui/material/Box';
import { formatCount } from '../../lib/format-count.ts';

interface TabLabelProps {
  readonly label: string;
  /** How many there are behind the tab; undefined while that is not known. */
  readonly total: number | undefined;
}

/** A tab's words with the number of what stands behind it, whose room is kept: the tabs must not move when it comes. */
export function TabLabel({ label, total }: TabLabelProps) {
  return (
    <span>
      {label}{' '}
      <Box
        component="span"
        sx={{
          display: 'inline-block',
          minWidth: '4.5ch',
          marginLeft: 0.5,
          textAlign: 'left',
          fontVariantNumeric: 'tabular-nums',
          fontWeight: 400,
          color: 'text.secondary',
        }}
      >
        {total !== undefined && formatCount(total)}
      </Box>
    </span>
  );
}
