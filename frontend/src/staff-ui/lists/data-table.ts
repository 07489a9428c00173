import { type CSSObject, styled } from '@mui/material/styles';
import { sticky } from '../../styles/layout-constants.ts';

/** The height of the sticky bar in narrow windows, below which other sticky elements are placed. */
export const stickyTop = 'var(--admin-top, 0px)';

const rule = '1px solid var(--dt-palette-divider)';

/** A header cell of a table. */
export const headCell = {
  position: sticky,
  top: stickyTop,
  zIndex: 1,
  padding: '10px 20px 10px 0',
  background: 'var(--dt-palette-background-default)',
  borderBottom: '1px solid var(--dt-palette-text-disabled)',
  color: 'var(--dt-palette-text-secondary)',
  fontSize: '0.8125rem',
  fontWeight: 600,
  lineHeight: 1.4,
  textAlign: 'left',
  whiteSpace: 'nowrap',
} as const;

/** A body cell of a table. */
const bodyCell = {
  height: 60,
  padding: '10px 20px 10px 0',
  borderBottom: rule,
  fontSize: '0.9375rem',
  lineHeight: 1.4,
  verticalAlign: 'middle',
  fontVariantNumeric: 'tabular-nums',
} as const;

/** A table with thin lines and a sticky header. Lists without `<table>` use `headCell`. */
export const DataTable = styled('table')({
  width: '100%',
  borderCollapse: 'separate',
  borderSpacing: 0,
  // The widths of the columns do not depend on the rows, which are virtualized.
  tableLayout: 'fixed',
  '& th[scope="col"]': headCell,
  '& td, & th[scope="row"]': { ...bodyCell, fontWeight: 400, textAlign: 'left' },
  '& tbody tr:hover > *': { background: 'color-mix(in srgb, var(--dt-palette-text-primary) 4%, transparent)' },
  '& tr > :last-child': { paddingRight: 0 },
});

/**
 * Returns styles for windows that are too narrow for columns: the header is hidden, and each row is a block.
 * @param row - the layout of a row's cells
 */
export const rowsAsBlocks = (row: CSSObject): CSSObject => ({
  '& thead': { display: 'none' },
  '&, & tbody': { display: 'block' },
  '& tr': { alignItems: 'center', borderTop: rule, ...row },
  '& tr > td, & tbody tr > th[scope="row"]': { display: 'block', height: 'auto', padding: 0, border: 0 },
});
