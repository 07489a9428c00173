import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useEffect, useRef } from 'react';
import { itemsOf, type Page } from '../../api-client/pagination.ts';
import { formatCount } from '../../format/numbers.ts';
import { FormAlert } from '../../form/FormAlert.tsx';
import { LoadedList, type LoadedListProps } from './LoadedList.tsx';

interface PagedListProps<Item> extends Omit<LoadedListProps<Item>, 'query'> {
  readonly query: Omit<LoadedListProps<Item>['query'], 'data'> & {
    readonly data?: { readonly pages: readonly Page<Item>[] } | undefined;
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly isFetchNextPageError: boolean;
    readonly fetchNextPage: () => unknown;
  };
}

/** A table that is loaded page by page. The first row of a loaded page gets the focus. */
export function PagedList<Item>({ query, ...list }: PagedListProps<Item>) {
  const { isError, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const items = itemsOf(query.data);
  const count = items?.length ?? 0;
  const rows = useRef<HTMLDivElement>(null);
  const requested = useRef<{ readonly by: Element | null; readonly place: number }>(undefined);
  // The button disappears after the last page.
  useEffect(() => {
    if (!requested.current || count <= requested.current.place) return;
    const { by, place } = requested.current;
    requested.current = undefined;
    const { activeElement } = document;
    if (activeElement === by || activeElement === document.body) {
      focusRow(rows.current?.querySelector<HTMLElement>(`[data-index="${place}"]`));
    }
  }, [count]);
  const loadMore = () => {
    requested.current = { by: document.activeElement, place: count };
    void fetchNextPage();
  };

  return (
    <>
      <div ref={rows}>
        <LoadedList {...list} query={{ ...query, data: items, isError: isError && !isFetchNextPageError }} />
      </div>
      {isFetchNextPageError && <FormAlert text="Failed to load more. Please try again." />}
      {items && hasNextPage && (
        <Typography sx={{ display: 'none', displayPrint: 'block', marginTop: 2 }}>
          {`The first ${formatCount(count)}. More are stored.`}
        </Typography>
      )}
      {items && hasNextPage && (
        <Box sx={{ marginTop: 2, textAlign: 'center' }}>
          {/* Not disabled while loading, because it would lose the focus. */}
          <Button variant="outlined" onClick={isFetchingNextPage ? undefined : loadMore}>
            {isFetchingNextPage ? 'Loading...' : 'Load more'}
          </Button>
        </Box>
      )}
    </>
  );
}

/** Focuses the first control of a row, or the row if it has none. */
function focusRow(row: HTMLElement | null | undefined): void {
  const control = row?.querySelector<HTMLElement>('a, button');
  if (row && !control) row.tabIndex = -1;
  (control ?? row)?.focus();
}
