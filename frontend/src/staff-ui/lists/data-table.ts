import { type CSSObject, styled } from '@mui/material/styles';

/** The height that the sticky bar of narrow windows takes from the top, for what sticks below it. */
export const stickyTop = 'var(--admin-top, 0px)';

const rule = '1px solid var(--dt-palette-divider)';

/** A cell of a table's head. */
export const headCell = {
  position: 'sticky',
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

/** A cell of a table's body. */
const bodyCell = {
  height: 60,
  padding: '10px 20px 10px 0',
  borderBottom: rule,
  fontSize: '0.9375rem',
  lineHeight: 1.4,
  verticalAlign: 'middle',
  fontVariantNumeric: 'tabular-nums',
} as const;

/** A table with fine rules, whose head stays in sight. Lists that are no `<table>` take `headCell`. */
export const DataTable = styled('table')({
  width: '100%',
  borderCollapse: 'separate',
  borderSpacing: 0,
  '& th[scope="col"]': headCell,
  '& td, & th[scope="row"]': { ...bodyCell, fontWeight: 400, textAlign: 'left' },
  '& tbody tr:hover > *': { background: 'color-mix(in srgb, var(--dt-palette-text-primary) 4%, transparent)' },
  '& tr > :last-child': { paddingRight: 0 },
});

/**
 * Styles for a window too narrow for columns: there is no head, and each row is a block of its own.
 * @param row - the layout of its cells
 */
export const rowsAsBlocks = (row: CSSObject): CSSObject => ({
  '& thead': { display: 'none' },
  '&, & tbody': { display: 'block' },
  '& tr': { alignItems: 'center', borderTop: rule, ...row },
  '& tr > td, & tbody tr > th[scope="row"]': { display: 'block', height: 'auto', padding: 0, border: 0 },
});
