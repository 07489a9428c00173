import Box from '@mui/material/Box';
import { formatCount } from '../../format/numbers.ts';

interface TabLabelProps {
  readonly label: string;
  /** The number of entries in the tab; undefined if unknown. */
  readonly total: number | undefined;
}

/** A tab's label with the number of its entries. */
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
