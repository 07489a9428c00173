import Button from '@mui/material/Button';
import { keyframes } from '@mui/material/styles';
import { RefreshIcon } from '../icons.tsx';

const turn = keyframes({ to: { transform: 'rotate(360deg)' } });

interface RefreshButtonProps {
  readonly isRefreshing: boolean;
  readonly onRefresh: () => void;
}

/** Refetches a page's data, which otherwise never expires (docs/PRODUCT.md, "Fresh data"). */
export function RefreshButton({ isRefreshing, onRefresh }: RefreshButtonProps) {
  return (
    <Button
      variant="outlined"
      startIcon={<RefreshIcon sx={isRefreshing ? { animation: `${turn} 900ms linear infinite` } : undefined} />}
      // Not disabled while refreshing, because it would lose the focus.
      aria-busy={isRefreshing}
      onClick={isRefreshing ? undefined : onRefresh}
    >
      Refresh
    </Button>
  );
}
