import type { ReactNode } from 'react';
import { FormAlert } from '../../form/FormAlert.tsx';
import { ErrorState } from './ErrorState.tsx';
import { SkeletonRows } from './SkeletonRows.tsx';

interface LoadedListProps<Item> {
  /** Undefined until loaded. */
  readonly items: readonly Item[] | undefined;
  /** Whether the last attempt to load failed and none is pending. */
  readonly hasFailed: boolean;
  readonly failedText: string;
  readonly onRetry: () => void;
  /** The number of placeholder rows while loading. */
  readonly rowsToCome: number;
  /** Shown if there are none. */
  readonly empty: ReactNode;
  readonly children: (items: readonly Item[]) => ReactNode;
}

/** A list with its loading, empty and error states. Loaded items stay when a refetch fails. */
export function LoadedList<Item>(props: LoadedListProps<Item>) {
  const { items, hasFailed, failedText, onRetry, rowsToCome, empty, children } = props;
  if (items === undefined) {
    return hasFailed ? <ErrorState text={failedText} onRetry={onRetry} /> : <SkeletonRows count={rowsToCome} />;
  }
  return (
    <>
      <FormAlert text={hasFailed ? 'Could not refresh the list. It may be out of date. Try again.' : undefined} />
      {items.length === 0 ? empty : children(items)}
    </>
  );
}
