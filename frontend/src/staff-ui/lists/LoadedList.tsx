import type { ReactNode } from 'react';
import { FormAlert } from '../../form/FormAlert.tsx';
import { ErrorState } from './ErrorState.tsx';
import { SkeletonRows } from './SkeletonRows.tsx';

export interface LoadedListProps<Item> {
  readonly query: {
    /** Undefined until loaded. */
    readonly data?: readonly Item[] | undefined;
    readonly isError: boolean;
    readonly isFetching: boolean;
    readonly refetch: () => unknown;
  };
  readonly failedText: string;
  /** The number of placeholder rows while loading. */
  readonly rowsToCome: number;
  /** Shown if there are none. */
  readonly empty: ReactNode;
  readonly children: (items: readonly Item[]) => ReactNode;
}

/** A list with its loading, empty and error states. Loaded items stay when a refetch fails. */
export function LoadedList<Item>({ query, failedText, rowsToCome, empty, children }: LoadedListProps<Item>) {
  const { data: items, isError, isFetching, refetch } = query;
  const hasFailed = isError && !isFetching;
  if (items === undefined) {
    return hasFailed ? (
      <ErrorState text={failedText} onRetry={() => void refetch()} />
    ) : (
      <SkeletonRows count={rowsToCome} />
    );
  }
  return (
    <>
      <FormAlert text={hasFailed ? 'Could not refresh the list. It may be out of date. Try again.' : undefined} />
      {items.length === 0 ? empty : children(items)}
    </>
  );
}
