import { styled, type Theme } from '@mui/material/styles';
import visuallyHidden from '@mui/utils/visuallyHidden';
import { headCell, stickyTop } from '../../../staff-ui/lists/data-table.ts';
import { sticky } from '../../../styles/layout-constants.ts';

/** Windows that are too narrow for columns, in rem. */
export const narrowWindow = ({ breakpoints }: Theme) => breakpoints.down(64);

/** Windows in which two columns would break words, e.g. phones with text at 200 %, in rem. */
export const tinyWindow = ({ breakpoints }: Theme) => breakpoints.down(18);

/** Windows in which separate columns would cut off ordinary entries. */
export const compactWindow = ({ breakpoints }: Theme) => breakpoints.between(64, 85);

/** The track of the checkboxes. */
export const selectWidth = '1.75rem';

/** Explicit roles, because some browsers drop them for a table with grid layout. */
export const roles = {
  table: { role: 'table' },
  rowgroup: { role: 'rowgroup' },
  row: { role: 'row' },
  columnheader: { role: 'columnheader' },
  rowheader: { role: 'rowheader' },
  cell: { role: 'cell' },
} as const;

/** The second line of a name follows the first in narrower windows: a third line would make the rows too high. */
const besideName = {
  '& [data-column="name"] .line': { display: 'inline-block', maxWidth: '100%', marginRight: '0.5rem' },
  '& [data-column="name"] .second': { display: 'inline' },
};

const Row = styled('tr')({ display: 'grid', alignItems: 'center', columnGap: '1rem' });

export const BodyRow = styled(Row)(({ theme }) => ({
  // Rows are independent, so the browser lays out only new ones.
  contain: 'content',
  paddingBlock: '0.375rem',
  borderBottom: '1px solid var(--dt-palette-divider)',
  fontSize: '0.9375rem',
  lineHeight: 1.4,
  fontVariantNumeric: 'tabular-nums',
  '&:hover': { background: 'color-mix(in srgb, var(--dt-palette-text-primary) 4%, transparent)' },
  '&[data-selected="true"]': { background: 'color-mix(in srgb, var(--dt-palette-secondary-main) 9%, transparent)' },
  '& td': { padding: 0, minWidth: 0 },
  // Right-to-left names are left-aligned too, so that the column has an edge.
  '& .line, & .beginning': { display: 'block', textAlign: 'left', lineHeight: 1.35 },
  '& .line': { overflowWrap: 'anywhere' },
  '& .beginning': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  '& [data-column="name"]': { fontWeight: 600 },
  '& .marked': { display: 'flex', flexDirection: 'column', alignItems: 'flex-start', fontWeight: 400 },
  '& .marked > span': { fontSize: '0.75rem', lineHeight: '1.25rem' },
  '& .marked .line': { maxWidth: '100%', minWidth: 0, fontWeight: 600 },
  '& [data-column="email"]': { fontSize: '0.875rem' },
  '& [data-column="name"] .second': { fontWeight: 400 },
  '& [data-column="type"], & [data-column="date"], & [data-column="message"], & [data-column="experience"]': {
    color: 'var(--dt-palette-text-secondary)',
  },
  '& [data-column="type"], & [data-column="date"]': { fontSize: '0.875rem' },
  '& [data-column="found"] > span': { flex: 'none' },
  '& [data-column="actions"]': { display: 'flex', justifyContent: 'flex-end', gap: 2 },
  // Below the other cells, from the name to the end of the row.
  '& [data-column="found"]': {
    display: 'flex',
    alignItems: 'baseline',
    gap: '0.25rem',
    gridColumn: '2 / -1',
    marginTop: '0.25rem',
    color: 'var(--dt-palette-text-secondary)',
    fontSize: '0.8125rem',
  },
  cursor: 'pointer',
  '& a:focus-visible, & button:focus-visible': { outlineOffset: -2 },
  // Highlights the row that the keys act on, because the focus ring of a small icon is hard to find.
  '&:has(:focus-visible)': {
    background: 'color-mix(in srgb, var(--dt-palette-secondary-main) 10%, transparent)',
    // Outside of the row, where it covers no text.
    boxShadow: '-3px 0 var(--dt-palette-secondary-main)',
  },
  // Keeps a focused row clear of the sticky header.
  '& a, & button, & input': { scrollMarginBlock: '6rem 5rem' },
  '& .status': { display: 'flex', alignItems: 'center', gap: '0.25rem', minWidth: 0 },
  '@media print': { '& .status': { display: 'block' } },
  [compactWindow(theme)]: {
    alignContent: 'center',
    '& .marked': { flexDirection: 'row', alignItems: 'center', columnGap: '0.625rem' },
    ...besideName,
    // The second line is shown in a separate column.
    '& [data-column="type"] ~ [data-column="about"] .second': { display: 'none' },
    '& [data-column="email"]': { color: 'var(--dt-palette-text-secondary)' },
    '& [data-column="message"], & [data-column="experience"]': { fontSize: '0.875rem' },
  },
  [narrowWindow(theme)]: {
    gridTemplateColumns: `${selectWidth} minmax(0, max-content) minmax(0, 1fr) max-content`,
    columnGap: 'min(0.75rem, 3vw)',
    rowGap: '0.125rem',
    paddingBlock: '0.625rem',
    '& td': { display: 'none' },
    '& .marked': { flexDirection: 'row', alignItems: 'center', columnGap: '0.625rem' },
    ...besideName,
    '& [data-column="about"] .second': { display: 'none' },
    '& [data-column="type"], & [data-column="about"], & [data-column="email"], & [data-column="experience"]': {
      fontSize: '0.875rem',
    },
    '& [data-column="date"]': { fontSize: '0.8125rem', textAlign: 'end', whiteSpace: 'nowrap' },
    '& [data-column="status"]': { justifySelf: 'end' },
    '& [data-column="email"]': { color: 'var(--dt-palette-text-secondary)' },
  },
  [tinyWindow(theme)]: {
    gridTemplateColumns: 'minmax(0, 1fr)',
    '& [data-column="found"]': { gridColumn: 1 },
    '& [data-column="date"]': { textAlign: 'start' },
    '& [data-column="status"]': { justifySelf: 'start' },
  },
}));

export const Body = styled('tbody')({
  // Contains the first row's margin, which would otherwise shift the origin of the row positions.
  display: 'flow-root',
  // The virtualizer keeps the scroll position. The browser would correct it a second time.
  overflowAnchor: 'none',
  // The virtualizer has computed the height for the screen.
  '@media print': { height: 'auto !important' },
});

export const HeadRow = styled(Row)(({ theme }) => ({
  borderBottom: headCell.borderBottom,
  '& th': {
    padding: '10px 0',
    color: headCell.color,
    fontSize: headCell.fontSize,
    fontWeight: headCell.fontWeight,
    lineHeight: headCell.lineHeight,
    textAlign: headCell.textAlign,
    whiteSpace: headCell.whiteSpace,
  },
  '& th:last-child': { textAlign: 'right' },
  [compactWindow(theme)]: { paddingBlock: 8, '& th': { padding: 0, lineHeight: 1.35 } },
}));

export const Head = styled('thead')(({ theme }) => ({
  display: 'block',
  position: sticky,
  top: stickyTop,
  zIndex: 2,
  background: headCell.background,
  // In narrow windows the rows explain themselves, so the header is for screen readers only.
  [narrowWindow(theme)]: visuallyHidden,
}));
