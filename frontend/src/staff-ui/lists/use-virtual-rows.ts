import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type FocusEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/** The number of rows that are rendered beyond the window. */
const renderedAhead = 8;

/**
 * Measured heights by table, layout, font size and row. When staff return to a list it is rendered again, and
 * estimated heights would change the scroll position.
 */
const heightsSeen = new Map<string, number>();

/** Returns whether the page is being printed. */
export function useIsPrinted(): boolean {
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

interface VirtualRowsOptions {
  /** The name of the table, under which the heights of its rows are kept. */
  readonly table: string;
  readonly rows: readonly { readonly id: string }[];
  /** The least height of a row, in rem. */
  readonly minHeight: number;
  /** Whether all rows are rendered, e.g. for print. */
  readonly isWhole: boolean;
  /** Returns the id of the element that gets the focus of a row. */
  readonly linkIdOf?: (id: string) => string;
}

/** Chooses the rows to render: visible ones, some around them, and the focused one wherever it is. */
export function useVirtualRows({ table, rows, minHeight, isWhole, linkIdOf = String }: VirtualRowsOptions) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  const [focused, setFocused] = useState<number>();
  const wanted = useRef<number>(undefined);
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

  const keyOf = (index: number) => rows[index]?.id ?? String(index);
  const heightKey = (index: number) => `${table} ${minHeight} ${rem} ${keyOf(index)}`;

  // oxlint-disable-next-line react/incompatible-library -- no compiler memoizes this
  const virtualizer = useWindowVirtualizer<HTMLTableRowElement>({
    count: rows.length,
    // Unrounded, because rounding errors would add up over hundreds of rows.
    measureElement: (row) => {
      const { height } = row.getBoundingClientRect();
      heightsSeen.set(heightKey(Number(row.dataset['index'])), height);
      return height;
    },
    estimateSize: (index) => heightsSeen.get(heightKey(index)) ?? minHeight * rem,
    getItemKey: keyOf,
    overscan: renderedAhead,
    scrollMargin: top,
    rangeExtractor: (range) => {
      if (isWhole) return [...rows.keys()];
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
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, minHeight, rem]);

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
