import IconButton from '@mui/material/IconButton';
import { styled, type Theme, useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import visuallyHidden from '@mui/utils/visuallyHidden';
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type FocusEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link, type To } from 'react-router-dom';
import { headCell, stickyTop } from '../../staff-ui/lists/data-table.ts';
import { EyeIcon, MailIcon } from '../../staff-ui/icons.tsx';
import { openRow } from '../../staff-ui/lists/open-row.ts';
import { openedFromList } from '../../routing/location-state.ts';
import type { ListedLead } from './lead.ts';
import { actionsWidth, type GridLine, type LeadTableLayout } from './lead-columns.tsx';
import { leadName } from './lead-labels.ts';

interface LeadTableProps {
  /** What the table is called. */
  readonly label: string;
  readonly layout: LeadTableLayout;
  readonly rows: readonly ListedLead[];
  /** How many rows there will be in the end; undefined when that is not known. */
  readonly total: number | undefined;
  readonly isBusy: boolean;
  /** Called when few rows are left below the window; another function asks again. */
  readonly onNearEnd: () => void;
  readonly detailsAddress: (lead: ListedLead) => To;
  readonly onEmail: (lead: ListedLead) => void;
}

/** The id of the link to a lead, for the focus. */
export const linkIdOf = (id: string): string => `lead-${id}`;

/** Windows in which no columns can stand beside each other; in rem. */
const narrowWindow = ({ breakpoints }: Theme) => breakpoints.down(64);

/** Windows in which a column each would cut ordinary entries off. */
const compactWindow = ({ breakpoints }: Theme) => breakpoints.between(64, 85);

/** The least that a row takes, in rem, so that it grows with the reader's letters. */
const rowHeights = { wide: 3.375, narrow: 6.25 };

/** Rows that are rendered beyond the window, and rows that are loaded beyond it. */
const renderedAhead = 8;
const loadedAhead = 120;

/**
 * Measured heights by table, layout, font size and lead. A list that staff return to is built again, and with estimated
 * heights another row would be at the place that they left.
 */
const heightsSeen = new Map<string, number>();

/** The parts' own roles, which some browsers forget of a table that is laid out as a grid. */
const roles = {
  table: { role: 'table' },
  rowgroup: { role: 'rowgroup' },
  row: { role: 'row' },
  columnheader: { role: 'columnheader' },
  rowheader: { role: 'rowheader' },
  cell: { role: 'cell' },
} as const;

const Row = styled('tr')({ display: 'grid', alignItems: 'center', columnGap: '1rem' });

const BodyRow = styled(Row)(({ theme }) => ({
  // Nothing of a row concerns another: the browser lays out those that come, and no more.
  contain: 'content',
  paddingBlock: '0.375rem',
  borderBottom: '1px solid var(--dt-palette-divider)',
  fontSize: '0.9375rem',
  lineHeight: 1.4,
  fontVariantNumeric: 'tabular-nums',
  '&:hover': { background: 'color-mix(in srgb, var(--dt-palette-text-primary) 4%, transparent)' },
  '& td': { padding: 0, minWidth: 0 },
  // A name that reads from the right stands at the left as well, or the column would have no edge.
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
  '& [data-column="actions"]': { display: 'flex', justifyContent: 'flex-end', gap: 2 },
  cursor: 'pointer',
  '& a:focus-visible, & button:focus-visible': { outlineOffset: -2 },
  [compactWindow(theme)]: {
    alignContent: 'center',
    '& .marked': { flexDirection: 'row', alignItems: 'center', columnGap: '0.625rem' },
    // What stands below is another column.
    '& [data-column="name"] .second, & [data-column="type"] ~ [data-column="about"] .second': { display: 'none' },
    '& [data-column="email"]': { color: 'var(--dt-palette-text-secondary)' },
    '& [data-column="message"], & [data-column="experience"]': { fontSize: '0.875rem' },
  },
  [narrowWindow(theme)]: {
    gridTemplateColumns: 'minmax(0, max-content) minmax(0, 1fr) max-content',
    columnGap: 'min(0.75rem, 3vw)',
    rowGap: '0.125rem',
    paddingBlock: '0.625rem',
    '& td': { display: 'none' },
    '& .marked': { flexDirection: 'row', alignItems: 'center', columnGap: '0.625rem' },
    '& .second': { display: 'none' },
    '& [data-column="type"], & [data-column="about"], & [data-column="email"], & [data-column="experience"]': {
      fontSize: '0.875rem',
    },
    '& [data-column="date"]': { fontSize: '0.8125rem', textAlign: 'end', whiteSpace: 'nowrap' },
    '& [data-column="status"]': { justifySelf: 'end' },
    '& [data-column="email"]': { color: 'var(--dt-palette-text-secondary)' },
  },
}));

const Body = styled('tbody')({
  // The first row's margin is within it: outside it would move the place that rows are counted from.
  display: 'flow-root',
  // The rows' own sizes keep the place of what is read; the browser would do the same a second time.
  overflowAnchor: 'none',
  // Whatever room the rows of the screen have.
  '@media print': { height: 'auto !important' },
});

const HeadRow = styled(Row)(({ theme }) => ({
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

const Head = styled('thead')(({ theme }) => ({
  display: 'block',
  position: 'sticky',
  top: stickyTop,
  zIndex: 2,
  background: headCell.background,
  // Where a row says by its look what is what, the head is for those who hear it.
  [narrowWindow(theme)]: visuallyHidden,
}));

const columnsOf = (line: GridLine): string[] => line.split(' ');
const gridAreas = (lines: readonly GridLine[]): string => lines.map((line) => `'${line}'`).join(' ');

/**
 * Leads in rows of which only those in sight exist, as many as are loaded. The window scrolls, so that the page's keys
 * (PageUp, PageDown, Home, End) move through it; Tab leads through the rows' actions.
 */
export function LeadTable({ label, layout, rows, total, isBusy, onNearEnd, detailsAddress, onEmail }: LeadTableProps) {
  const theme = useTheme();
  const isNarrow = useMediaQuery(narrowWindow(theme));
  const isCompact = useMediaQuery(compactWindow(theme));
  const { body, virtualizer, onFocus, onBlur } = useRows(label, rows, isNarrow);
  const items = virtualizer.getVirtualItems();

  const lastInSight = virtualizer.range?.endIndex ?? 0;
  useEffect(() => {
    if (lastInSight + loadedAhead >= rows.length) onNearEnd();
  }, [lastInSight, rows.length, onNearEnd]);

  const { columns, compact, narrow } = layout;
  const inColumns = isCompact
    ? { gridTemplateAreas: gridAreas(compact.lines), gridTemplateColumns: compact.tracks }
    : { gridTemplateColumns: [...columns.map(({ width }) => width), actionsWidth].join(' ') };
  const [upper, lower] = isCompact ? compact.lines.map(columnsOf) : [];
  const placed = new Set((isNarrow ? narrow : isCompact ? compact.lines : []).flatMap(columnsOf));
  /** A column without a place stays hidden where rows have places; one above another stands close to it. */
  const placeIn = (column: string) =>
    placed.has(column)
      ? {
          gridArea: column,
          display: column === 'actions' ? 'flex' : 'block',
          ...(lower?.includes(column) !== true && { alignSelf: 'end' }),
          ...(upper?.includes(column) !== true && { alignSelf: 'start' }),
        }
      : undefined;
  const height = isNarrow ? rowHeights.narrow : rowHeights.wide;

  return (
    <table
      {...roles.table}
      aria-label={label}
      aria-rowcount={total === undefined ? -1 : total + 1}
      aria-busy={isBusy}
      style={{ display: 'block', position: 'relative' }}
    >
      <Head {...roles.rowgroup}>
        <HeadRow {...roles.row} aria-rowindex={1} style={inColumns}>
          {columns.map(({ id, title }) => (
            <th key={id} {...roles.columnheader} scope="col" style={placeIn(id)}>
              {title}
            </th>
          ))}
          <th {...roles.columnheader} scope="col" style={{ ...placeIn('actions'), display: 'block' }}>
            Actions
          </th>
        </HeadRow>
      </Head>
      <Body
        ref={body}
        {...roles.rowgroup}
        onFocus={onFocus}
        onBlur={onBlur}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {items.map(({ index, start }, place) => {
          const lead = rows[index];
          if (lead === undefined) return null;
          const who = leadName(lead);
          return (
            <BodyRow
              key={lead.id}
              {...roles.row}
              aria-rowindex={index + 2}
              ref={virtualizer.measureElement}
              data-index={index}
              onClick={openRow}
              style={{
                minHeight: `${height}rem`,
                marginTop: start - (items[place - 1]?.end ?? virtualizer.options.scrollMargin),
                ...(isNarrow ? { gridTemplateAreas: gridAreas(narrow) } : inColumns),
              }}
            >
              {columns.map(({ id, cell }) => (
                <td key={id} {...(id === 'name' ? roles.rowheader : roles.cell)} data-column={id} style={placeIn(id)}>
                  {cell(lead)}
                </td>
              ))}
              <td {...roles.cell} data-column="actions" style={placeIn('actions')}>
                <IconButton
                  id={linkIdOf(lead.id)}
                  component={Link}
                  to={detailsAddress(lead)}
                  state={openedFromList}
                  aria-label={`View ${who}`}
                  color="inherit"
                  size="small"
                >
                  <EyeIcon fontSize="small" />
                </IconButton>
                <IconButton aria-label={`Email ${who}`} color="inherit" size="small" onClick={() => onEmail(lead)}>
                  <MailIcon fontSize="small" />
                </IconButton>
              </td>
            </BodyRow>
          );
        })}
      </Body>
    </table>
  );
}

/** Whether the page is on its way to the printer. */
function useIsPrinted(): boolean {
  const [isPrinted, setIsPrinted] = useState(false);
  useEffect(() => {
    // The browser takes the page as it is when the event is over.
    const begin = () => flushSync(() => setIsPrinted(true));
    const end = () => setIsPrinted(false);
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
    return () => {
      window.removeEventListener('beforeprint', begin);
      window.removeEventListener('afterprint', end);
    };
  }, []);
  return isPrinted;
}

/** Which rows exist: those in sight, some around them, and the one that has the focus, wherever it is; on paper all. */
function useRows(table: string, rows: readonly ListedLead[], isNarrow: boolean) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  const [focused, setFocused] = useState<number>();
  const isPrinted = useIsPrinted();
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

  const keyOf = (index: number) => rows[index]?.id ?? String(index);
  const heightKey = (index: number) => `${table} ${isNarrow} ${rem} ${keyOf(index)}`;

  // oxlint-disable-next-line react/incompatible-library -- no compiler memoizes this
  const virtualizer = useWindowVirtualizer<HTMLTableRowElement>({
    count: rows.length,
    // Not rounded: hundreds of rows would add it up.
    measureElement: (row) => {
      const { height } = row.getBoundingClientRect();
      heightsSeen.set(heightKey(Number(row.dataset['index'])), height);
      return height;
    },
    estimateSize: (index) =>
      heightsSeen.get(heightKey(index)) ?? (isNarrow ? rowHeights.narrow : rowHeights.wide) * rem,
    getItemKey: keyOf,
    overscan: renderedAhead,
    scrollMargin: top,
    rangeExtractor: (range) => {
      if (isPrinted) return [...rows.keys()];
      const shown = defaultRangeExtractor(range);
      if (focused === undefined || focused >= range.count || shown.includes(focused)) return shown;
      return [...shown, focused].sort((a, b) => a - b);
    },
  });

  // Whatever stands above the table may change its height, and with it the page's.
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => {
      setTop((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
    });
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, isNarrow, rem]);

  return {
    body,
    virtualizer,
    // Every element of the body that takes focus is in a row.
    onFocus: ({ target }: FocusEvent) =>
      setFocused(Number(target.closest<HTMLElement>('[data-index]')?.dataset['index'])),
    onBlur: () => setFocused(undefined),
  };
}
