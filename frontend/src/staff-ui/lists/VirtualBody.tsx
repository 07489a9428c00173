import { Fragment, type ReactNode } from 'react';
import { useIsPrinted, useVirtualRows } from './use-virtual-rows.ts';

/** The properties of each row of a `VirtualBody`. */
export interface VirtualRow {
  /** Measures the row. */
  readonly ref: (row: HTMLTableRowElement | null) => void;
  readonly 'data-index': number;
  readonly 'aria-rowindex': number;
}

interface VirtualBodyProps<Item extends { readonly id: string }> {
  /** The name of the table, under which the heights of its rows are kept. */
  readonly table: string;
  readonly items: readonly Item[];
  /** The least height of a row, in rem. */
  readonly minHeight: number;
  /** Renders a row. The table needs `aria-rowcount`, and columns whose widths do not depend on the rows. */
  readonly children: (item: Item, row: VirtualRow) => ReactNode;
}

/** A shorter list is rendered whole: the browser's search finds all of it. */
const wholeUpTo = 40;

/** A virtualized table body: of a long list, only rows near the window exist in the document. In print, all do. */
export function VirtualBody<Item extends { readonly id: string }>(props: VirtualBodyProps<Item>) {
  const { table, items, minHeight, children } = props;
  const isPrinted = useIsPrinted();
  const isWhole = isPrinted || items.length <= wholeUpTo;
  const { body, virtualizer, onFocus, onBlur } = useVirtualRows({ table, rows: items, minHeight, isWhole });
  const rendered = isWhole ? [...items.keys()].map((index) => ({ index, gap: 0 })) : gapsBefore(virtualizer);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- listens to the controls inside
    <tbody ref={body} onFocus={onFocus} onBlur={onBlur}>
      {rendered.map(({ index, gap }) => {
        const item = items[index];
        return (
          item && (
            <Fragment key={item.id}>
              <Gap height={gap} />
              {children(item, { ref: virtualizer.measureElement, 'data-index': index, 'aria-rowindex': index + 2 })}
            </Fragment>
          )
        );
      })}
      {!isWhole && <Gap height={gapAfter(virtualizer)} />}
    </tbody>
  );
}

type Virtualizer = ReturnType<typeof useVirtualRows>['virtualizer'];

/** Returns the rendered rows with the height of those that are left out before each. */
function gapsBefore(virtualizer: Virtualizer) {
  const rows = virtualizer.getVirtualItems();
  return rows.map(({ index, start }, place) => ({
    index,
    gap: start - (rows[place - 1]?.end ?? virtualizer.options.scrollMargin),
  }));
}

function gapAfter(virtualizer: Virtualizer): number {
  const { scrollMargin } = virtualizer.options;
  return virtualizer.getTotalSize() + scrollMargin - (virtualizer.getVirtualItems().at(-1)?.end ?? scrollMargin);
}

/** The space of rows that are not rendered. */
function Gap({ height }: { readonly height: number }) {
  return height > 0 && <tr aria-hidden="true" style={{ height, padding: 0, border: 0 }} />;
}
