import Box from '@mui/material/Box';
import { formatCount } from '../../format/numbers.ts';

interface TabLabelProps {
  readonly label: string;
  /** How many there are behind the tab; undefined while that is not known. */
  readonly total: number | undefined;
}

/** A tab's words with the number of what stands behind it. */
export function TabLabel({ label, total }: TabLabelProps) {
  return (
    <span>
      {label}{' '}
      {total !== undefined && (
        <Box
          component="span"
          sx={{ marginLeft: 0.5, fontVariantNumeric: 'tabular-nums', fontWeight: 400, color: 'text.secondary' }}
        >
          {formatCount(total)}
        </Box>
      )}
    </span>
  );
}
