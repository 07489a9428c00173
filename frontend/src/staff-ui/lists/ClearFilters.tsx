import Button, { type ButtonProps } from '@mui/material/Button';
import { focusById } from './focus-by-id.ts';

interface ClearFiltersProps extends Pick<ButtonProps, 'size' | 'variant'> {
  /** The id of the search field. */
  readonly searchId: string;
  readonly onClear: () => void;
}

/** Clears the filters and focuses the search field, because the button disappears. */
export function ClearFilters({ searchId, onClear, ...look }: ClearFiltersProps) {
  const clear = () => {
    onClear();
    focusById(searchId);
  };
  return (
    <Button {...look} onClick={clear}>
      Clear filters
    </Button>
  );
}
