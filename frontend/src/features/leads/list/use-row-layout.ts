import { useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import type { CSSProperties } from 'react';
import { actionsWidth, type GridLine, type LeadColumn, type LeadTableLayout } from './columns.tsx';
import { compactWindow, narrowWindow, selectWidth, tinyWindow } from './table-styles.ts';

/** The arrangement of the cells in the current window. */
export interface RowLayout {
  readonly columns: readonly LeadColumn[];
  readonly visibleColumns: readonly LeadColumn[];
  /** In rem, so that it grows with the reader's font size. */
  readonly minHeight: number;
  readonly headStyle: CSSProperties;
  readonly rowStyle: CSSProperties;
  /** Returns the style of a column's cell, which hides columns that the layout omits. */
  readonly cellStyle: (column: string) => CSSProperties | undefined;
}

const withSelect = (lines: readonly GridLine[]): GridLine[] => lines.map((line) => `select ${line}`);
const columnsOf = (line: GridLine): string[] => line.split(' ');
const withControls = (columns: readonly LeadColumn[], isPrinted: boolean): string[] => {
  const widths = columns.map(({ width }) => width);
  return isPrinted ? widths : [selectWidth, ...widths, actionsWidth];
};
const gridAreas = (lines: readonly GridLine[]): string => lines.map((line) => `'${line}'`).join(' ');

/**
 * Returns the arrangement of a table's cells, which follows the width of the window.
 * @param isPrinted - paper has one column for each fact, and none for controls
 */
export function useRowLayout({ columns, compact, narrow }: LeadTableLayout, isPrinted: boolean): RowLayout {
  const theme = useTheme();
  const isNarrow = useMediaQuery(narrowWindow(theme));
  const isTiny = useMediaQuery(tinyWindow(theme));
  const isCompact = useMediaQuery(compactWindow(theme));
  const minHeight = isNarrow ? 6.25 : 3.375;
  const lines = withSelect(isNarrow ? narrow : isCompact ? compact.lines : []);
  const placed = new Set(lines.flatMap(columnsOf));
  const [upper, lower] = isCompact ? lines.map(columnsOf) : [];
  const inColumns = isCompact
    ? { gridTemplateAreas: gridAreas(lines), gridTemplateColumns: `${selectWidth} ${compact.tracks}` }
    : { gridTemplateColumns: withControls(columns, isPrinted).join(' ') };
  return {
    columns,
    visibleColumns: placed.size === 0 ? columns : columns.filter(({ id }) => placed.has(id)),
    minHeight,
    headStyle: inColumns,
    rowStyle: {
      minHeight: `${minHeight}rem`,
      ...(isNarrow ? { gridTemplateAreas: gridAreas(isTiny ? [...placed] : lines) } : inColumns),
    },
    cellStyle: (column) =>
      placed.has(column)
        ? {
            gridArea: column,
            display: column === 'actions' ? 'flex' : 'block',
            // Columns in consecutive lines are close together.
            ...(lower?.includes(column) !== true && { alignSelf: 'end' }),
            ...(upper?.includes(column) !== true && { alignSelf: 'start' }),
          }
        : undefined,
  };
}
