import visuallyHidden from '@mui/utils/visuallyHidden';
import { type Ref, useEffect, useImperativeHandle } from 'react';
import { useIsPrinted, useVirtualRows } from '../../../staff-ui/lists/use-virtual-rows.ts';
import { useSearchedWords } from '../Highlight.tsx';
import { useLeadAddress } from '../use-lead-address.ts';
import { OpenStatusMenu } from '../work/StatusButton.tsx';
import type { LeadTableLayout } from './columns.tsx';
import { LeadRow, linkIdOf } from './LeadRow.tsx';
import { Body, Head, HeadRow, roles } from './table-styles.ts';
import { useRowLayout } from './use-row-layout.ts';
import { type RowWorkProps, useRowWork } from './use-row-work.tsx';

/** The number of rows that are loaded beyond the window. */
const loadedAhead = 120;

/** Moves the focus to a lead's row, even if the row is not rendered yet. */
export interface LeadTableHandle {
  /** @returns whether the table has the lead */
  readonly focusLead: (id: string) => boolean;
}

interface LeadTableProps extends RowWorkProps {
  readonly ref?: Ref<LeadTableHandle> | undefined;
  /** The accessible name of the table. */
  readonly label: string;
  readonly layout: LeadTableLayout;
  /** The number of rows once all are loaded; undefined if unknown. */
  readonly total: number | undefined;
  readonly isBusy: boolean;
  /** Called when few rows are left below the window, and again whenever the function changes. */
  readonly onNearEnd: () => void;
}

/**
 * A virtualized table of leads. Only rows near the window exist in the document. The window scrolls, so the keys for
 * scrolling (Page Up, Page Down, Home, End) work; Tab moves through the rows' actions.
 */
export function LeadTable(props: LeadTableProps) {
  const { ref, label, rows, total, isBusy, onNearEnd, onEmail } = props;
  const addressOf = useLeadAddress();
  const isPrinted = useIsPrinted();
  const layout = useRowLayout(props.layout, isPrinted);
  const { columns, cellStyle } = layout;
  // A row is higher if it shows where a word was found.
  const table = useSearchedWords().length > 0 ? `${label}, searched` : label;
  const { body, virtualizer, focused, focusRow, onFocus, onBlur } = useVirtualRows({
    table,
    rows,
    minHeight: layout.minHeight,
    isWhole: isPrinted,
    linkIdOf,
  });
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
  const work = useRowWork(props, focused, focusRow, virtualizer.range?.startIndex ?? 0);

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
          <HeadRow {...roles.row} aria-rowindex={1} style={layout.headStyle}>
            <th {...roles.columnheader} scope="col" data-column="select" style={cellStyle('select')}>
              <span style={visuallyHidden}>Select</span>
            </th>
            {columns.map(({ id, title }) => (
              <th key={id} {...roles.columnheader} scope="col" style={cellStyle(id)}>
                {title}
              </th>
            ))}
            <th
              {...roles.columnheader}
              scope="col"
              data-column="actions"
              style={{ ...cellStyle('actions'), display: 'block' }}
            >
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
            return (
              lead && (
                <LeadRow
                  key={lead.id}
                  ref={virtualizer.measureElement}
                  lead={lead}
                  index={index}
                  marginTop={start - (items[place - 1]?.end ?? virtualizer.options.scrollMargin)}
                  layout={layout}
                  address={addressOf(lead)}
                  onEmail={onEmail}
                />
              )
            );
          })}
        </Body>
      </table>
      {work.dialogs}
    </OpenStatusMenu>
  );
}
