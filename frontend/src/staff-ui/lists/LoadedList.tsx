import type { ReactNode } from 'react';
import { FormAlert } from '../../form/FormAlert.tsx';
import { ErrorState } from './ErrorState.tsx';
import { SkeletonRows } from './SkeletonRows.tsx';

interface LoadedListProps<Item> {
  /** Undefined until they came. */
  readonly items: readonly Item[] | undefined;
  /** Whether the last try to read them failed, and none is under way. */
  readonly hasFailed: boolean;
  readonly failedText: string;
  readonly onRetry: () => void;
  /** How many rows stand in for those that are on their way. */
  readonly rowsToCome: number;
  /** Shown when there are none. */
  readonly empty: ReactNode;
  readonly children: (items: readonly Item[]) => ReactNode;
}

/** A list as far as it was read. What is there stays when it cannot be read anew. */
export function LoadedList<Item>(props: LoadedListProps<Item>) {
  const { items, hasFailed, failedText, onRetry, rowsToCome, empty, children } = props;
  if (items === undefined) {
    return hasFailed ? <ErrorState text={failedText} onRetry={onRetry} /> : <SkeletonRows count={rowsToCome} />;
  }
  return (
    <>
      <FormAlert text={hasFailed ? 'The list could not be refreshed and may be out of date. Try again.' : undefined} />
      {items.length === 0 ? empty : children(items)}
    </>
  );
}
