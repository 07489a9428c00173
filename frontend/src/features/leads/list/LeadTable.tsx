import Checkbox from '@mui/material/Checkbox';
import IconButton from '@mui/material/IconButton';
import { styled, type Theme, useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import visuallyHidden from '@mui/utils/visuallyHidden';
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type FocusEvent, type Ref, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link, type To, useNavigate } from 'react-router-dom';
import type { LeadStatus } from '@dune-tide/domain/leads';
import { AdminDialog } from '../../../staff-ui/dialogs/AdminDialog.tsx';
import { ChoiceMenu } from '../../../staff-ui/ChoiceMenu.tsx';
import { toasts } from '../../../toasts/toasts.ts';
import { headCell, stickyTop } from '../../../staff-ui/lists/data-table.ts';
import { EyeIcon, MailIcon } from '../../../staff-ui/icons.tsx';
import { openRow } from '../../../staff-ui/lists/open-row.ts';
import { openedForNote, openedFromList } from '../../../routing/location-state.ts';
import { foundElsewhere } from './found-elsewhere.ts';
import { Highlight, useSearchedWords } from '../Highlight.tsx';
import type { Lead, ListedLead } from '../lead.ts';
import { actionsWidth, type GridLine, type LeadTableLayout } from './columns.tsx';
import { LeadConflictNotice } from '../work/LeadConflictNotice.tsx';
import { useLeadKeys } from '../keys/lead-keys.ts';
import { leadName, leadStatus, statusLabel } from '../lead-labels.ts';
import { useLeadSelection } from './selection.ts';
import { useLeadStaff } from '../lead-staff.ts';
import { ownerChoices } from '../work/owner-choices.ts';
import { OpenStatusMenu, statusButtonId } from '../work/StatusButton.tsx';
import { statusChoices } from '../work/status-choices.tsx';
import { useLeadChange } from '../work/use-lead-change.ts';

/** Moves the focus to a lead's row, even if the row is not rendered yet. */
export interface LeadTableHandle {
  /** @returns whether the table has the lead */
  readonly focusLead: (id: string) => boolean;
}

interface LeadTableProps {
  readonly ref?: Ref<LeadTableHandle> | undefined;
  /** The accessible name of the table. */
  readonly label: string;
  readonly layout: LeadTableLayout;
  readonly rows: readonly ListedLead[];
  /** The number of rows once all are loaded; undefined if unknown. */
  readonly total: number | undefined;
  readonly isBusy: boolean;
  /** Called when few rows are left below the window, and again whenever the function changes. */
  readonly onNearEnd: () => void;
  readonly detailsAddress: (lead: ListedLead) => To;
  readonly onEmail: (lead: ListedLead) => void;
  readonly onHelp: () => void;
}

/** Returns the id of the link to a lead, for the focus. */
export const linkIdOf = (id: string): string => `lead-${id}`;

/** Windows that are too narrow for columns, in rem. */
const narrowWindow = ({ breakpoints }: Theme) => breakpoints.down(64);

/** Windows in which two columns would break words, e.g. phones with text at 200 %, in rem. */
const tinyWindow = ({ breakpoints }: Theme) => breakpoints.down(18);

/** Windows in which separate columns would cut off ordinary entries. */
const compactWindow = ({ breakpoints }: Theme) => breakpoints.between(64, 85);

/** The minimum height of a row, in rem, so that it grows with the reader's font size. */
const rowHeights = { wide: 3.375, narrow: 6.25 };

/** The track of the checkboxes. */
const selectWidth = '1.75rem';

/** The number of rows that are rendered, and loaded, beyond the window. */
const renderedAhead = 8;
const loadedAhead = 120;

/**
 * Measured heights by table, layout, font size and lead. When staff return to a list it is rendered again, and
 * estimated heights would change the scroll position.
 */
const heightsSeen = new Map<string, number>();

/** Explicit roles, because some browsers drop them for a table with grid layout. */
const roles = {
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

const BodyRow = styled(Row)(({ theme }) => ({
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

const Body = styled('tbody')({
  // Contains the first row's margin, which would otherwise shift the origin of the row positions.
  display: 'flow-root',
  // The virtualizer keeps the scroll position. The browser would correct it a second time.
  overflowAnchor: 'none',
  // The virtualizer has computed the height for the screen.
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
  // In narrow windows the rows explain themselves, so the header is for screen readers only.
  [narrowWindow(theme)]: visuallyHidden,
}));

const withSelect = (lines: readonly GridLine[]): GridLine[] => lines.map((line) => `select ${line}`);
const columnsOf = (line: GridLine): string[] => line.split(' ');
const gridAreas = (lines: readonly GridLine[]): string => lines.map((line) => `'${line}'`).join(' ');

/**
 * A virtualized table of leads. Only rows near the window exist in the document. The window scrolls, so the keys for
 * scrolling (Page Up, Page Down, Home, End) work; Tab moves through the rows' actions.
 */
export function LeadTable(props: LeadTableProps) {
  const { ref, label, layout, rows, total, isBusy, onNearEnd, detailsAddress, onEmail } = props;
  const theme = useTheme();
  const isNarrow = useMediaQuery(narrowWindow(theme));
  const isTiny = useMediaQuery(tinyWindow(theme));
  const isCompact = useMediaQuery(compactWindow(theme));
  const words = useSearchedWords();
  // A row is higher if it shows where a word was found.
  const table = words.length > 0 ? `${label}, searched` : label;
  const { body, virtualizer, focused, focusRow, onFocus, onBlur } = useRows(table, rows, isNarrow);
  const items = virtualizer.getVirtualItems();

  const lastInSight = virtualizer.range?.endIndex ?? 0;
  useEffect(() => {
    if (lastInSight + loadedAhead >= rows.length) onNearEnd();
  }, [lastInSight, rows.length, onNearEnd]);

  useImperativeHandle(ref, () => ({
    focusLead: (id) => {
      const index = rows.findIndex((lead) => lead.id === id);
      if (index >= 0) focusRow(index);
      return index >= 0;
    },
  }));
  const selection = useLeadSelection();
  const work = useRowWork(props, focused, focusRow, virtualizer.range?.startIndex ?? 0);

  const { columns, compact, narrow } = layout;
  const inColumns = isCompact
    ? {
        gridTemplateAreas: gridAreas(withSelect(compact.lines)),
        gridTemplateColumns: `${selectWidth} ${compact.tracks}`,
      }
    : { gridTemplateColumns: [selectWidth, ...columns.map(({ width }) => width), actionsWidth].join(' ') };
  const [upper, lower] = isCompact ? withSelect(compact.lines).map(columnsOf) : [];
  const placed = new Set(withSelect(isNarrow ? narrow : isCompact ? compact.lines : []).flatMap(columnsOf));
  /** Hides columns that the layout omits. Columns in consecutive lines are close together. */
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
  const shownColumns = placed.size === 0 ? columns : columns.filter(({ id }) => placed.has(id));
  const textsOf = (lead: ListedLead) => shownColumns.flatMap(({ texts }) => texts?.(lead) ?? []);

  return (
    <OpenStatusMenu value={work.openStatusMenu}>
      <table
        {...roles.table}
        aria-label={label}
        aria-rowcount={total === undefined ? -1 : total + 1}
        aria-busy={isBusy}
        style={{ display: 'block', position: 'relative' }}
      >
        <Head {...roles.rowgroup}>
          <HeadRow {...roles.row} aria-rowindex={1} style={inColumns}>
            <th {...roles.columnheader} scope="col" style={placeIn('select')}>
              <span style={visuallyHidden}>Select</span>
            </th>
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
            const found = foundElsewhere(
              lead,
              words,
              textsOf(lead).filter((text) => typeof text === 'string'),
            );
            return (
              <BodyRow
                key={lead.id}
                {...roles.row}
                aria-rowindex={index + 2}
                ref={virtualizer.measureElement}
                data-index={index}
                data-selected={selection.has(lead.id)}
                onClick={openRow}
                style={{
                  minHeight: `${height}rem`,
                  marginTop: start - (items[place - 1]?.end ?? virtualizer.options.scrollMargin),
                  ...(isNarrow
                    ? {
                        gridTemplateAreas: gridAreas(
                          isTiny ? [...new Set(withSelect(narrow).flatMap(columnsOf))] : withSelect(narrow),
                        ),
                      }
                    : inColumns),
                }}
              >
                <td {...roles.cell} data-column="select" style={placeIn('select')}>
                  <Checkbox
                    size="small"
                    checked={selection.has(lead.id)}
                    onClick={({ shiftKey }) => selection.toggle(lead.id, shiftKey)}
                    slotProps={{ input: { 'aria-label': `Select ${who}` } }}
                    sx={{ padding: '2px' }}
                  />
                </td>
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
                {found && (
                  <td {...roles.cell} data-column="found" aria-colspan={columns.length + 1}>
                    <span>{found.label}:</span>
                    <bdi className="beginning">
                      <Highlight text={found.text} />
                    </bdi>
                  </td>
                )}
              </BodyRow>
            );
          })}
        </Body>
      </table>
      {work.dialogs}
    </OpenStatusMenu>
  );
}

type OpenMenu = { readonly kind: 'status' | 'owner'; readonly lead: Lead; readonly anchor: HTMLElement };

/** The changes of leads in the table: its menus, its keys, and conflicts with other users. */
function useRowWork(
  { rows, detailsAddress, onEmail, onHelp }: LeadTableProps,
  focused: number | undefined,
  focusRow: (index: number) => void,
  firstInSight: number,
) {
  const selection = useLeadSelection();
  const navigate = useNavigate();
  const staff = useLeadStaff();
  const { change, conflict, keepTheirs, overwrite } = useLeadChange();
  const [menu, setMenu] = useState<OpenMenu>();
  const [announced, setAnnounced] = useState('');

  const setStatus = async (lead: Lead, status: LeadStatus) => {
    const changed = await change(lead, { status });
    if (changed) setAnnounced(`${leadName(changed)}: ${statusLabel(leadStatus(changed))}`);
  };
  const setOwner = async (lead: Lead, ownerId: string | null) => {
    const changed = await change(lead, { ownerId });
    if (changed) toasts.success(changed.owner ? `Assigned to ${changed.owner.name}` : 'Owner removed');
  };

  const lead = focused === undefined ? undefined : rows[focused];
  const step = (by: 1 | -1) => {
    if (rows.length === 0) return;
    focusRow(focused === undefined ? firstInSight : Math.min(Math.max(focused + by, 0), rows.length - 1));
  };
  const openMenu = (kind: OpenMenu['kind']) => {
    const anchor = lead && document.getElementById(kind === 'status' ? statusButtonId(lead.id) : linkIdOf(lead.id));
    // A tab without the column has no button for the status.
    const place = anchor ?? (lead && document.getElementById(linkIdOf(lead.id)));
    if (lead && place) setMenu({ kind, lead, anchor: place });
  };
  useLeadKeys('page', {
    next: () => step(1),
    previous: () => step(-1),
    help: onHelp,
    ...(lead && {
      select: () => selection.toggle(lead.id),
      email: () => onEmail(lead),
      status: () => openMenu('status'),
      assign: () => openMenu('owner'),
      assignToMe: () => staff.me && void setOwner(lead, staff.me.id),
      note: () => void navigate(detailsAddress(lead), { state: openedForNote }),
    }),
  });

  const close = () => setMenu(undefined);
  const shown = menu && (rows.find(({ id }) => id === menu.lead.id) ?? menu.lead);
  return {
    openStatusMenu: (of: Lead, anchor: HTMLElement) => setMenu({ kind: 'status', lead: of, anchor }),
    dialogs: (
      <>
        {shown && menu.kind === 'status' && (
          <ChoiceMenu
            label={`Status of ${leadName(shown)}`}
            anchor={menu.anchor}
            choices={statusChoices}
            selected={leadStatus(shown)}
            onChoose={(status) => void setStatus(shown, status)}
            onClose={close}
          />
        )}
        {shown && menu.kind === 'owner' && (
          <ChoiceMenu
            label={`Owner of ${leadName(shown)}`}
            anchor={menu.anchor}
            choices={ownerChoices(staff, shown.owner)}
            selected={shown.owner?.id ?? null}
            onChoose={(ownerId) => void setOwner(shown, ownerId)}
            onClose={close}
          />
        )}
        <AdminDialog open={conflict !== undefined} onClose={keepTheirs} title={conflict && leadName(conflict.theirs)}>
          {conflict && (
            <LeadConflictNotice conflict={conflict} onKeep={keepTheirs} onOverwrite={() => void overwrite()} />
          )}
        </AdminDialog>
        <output style={visuallyHidden}>{announced}</output>
      </>
    ),
  };
}

/** Returns whether the page is being printed. */
function useIsPrinted(): boolean {
  const [isPrinted, setIsPrinted] = useState(false);
  useEffect(() => {
    // The browser prints the page as it is when the event ends.
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

/** Chooses the rows to render: visible ones, some around them, and the focused one wherever it is. In print, all. */
function useRows(table: string, rows: readonly ListedLead[], isNarrow: boolean) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  const [focused, setFocused] = useState<number>();
  const wanted = useRef<number>(undefined);
  const isPrinted = useIsPrinted();
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

  const keyOf = (index: number) => rows[index]?.id ?? String(index);
  const heightKey = (index: number) => `${table} ${isNarrow} ${rem} ${keyOf(index)}`;

  // oxlint-disable-next-line react/incompatible-library -- no compiler memoizes this
  const virtualizer = useWindowVirtualizer<HTMLTableRowElement>({
    count: rows.length,
    // Unrounded, because rounding errors would add up over hundreds of rows.
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

  // Elements above the table may change their height and move it.
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => {
      setTop((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
    });
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, isNarrow, rem]);

  // After each rendering, because a row far away is rendered only after the window has scrolled.
  useLayoutEffect(() => {
    const id = wanted.current === undefined ? undefined : rows[wanted.current]?.id;
    const link = id === undefined ? null : document.getElementById(linkIdOf(id));
    if (!link) return;
    wanted.current = undefined;
    link.focus();
  });
  const focusRow = (index: number) => {
    const link = document.getElementById(linkIdOf(keyOf(index)));
    if (link) {
      link.focus();
    } else if (index >= 0) {
      wanted.current = index;
      virtualizer.scrollToIndex(index, { align: 'center' });
    }
  };

  return {
    body,
    virtualizer,
    focused,
    focusRow,
    // Every focusable element of the body is in a row.
    onFocus: ({ target }: FocusEvent) =>
      setFocused(Number(target.closest<HTMLElement>('[data-index]')?.dataset['index'])),
    onBlur: () => setFocused(undefined),
  };
}
