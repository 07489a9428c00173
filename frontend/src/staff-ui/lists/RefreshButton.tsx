import Button from '@mui/material/Button';
import { keyframes } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { byServerClock, serverNow } from '../../api-client/server-clock.ts';
import { formatAsOf } from '../../format/dates.ts';
import { RefreshIcon } from '../icons.tsx';

const turn = keyframes({ to: { transform: 'rotate(360deg)' } });

interface RefreshButtonProps {
  readonly isRefreshing: boolean;
  /** When the shown data was loaded, by this computer's clock, in milliseconds since the epoch; undefined without data. */
  readonly loadedAt: number | undefined;
  readonly onRefresh: () => void;
}

/** Refetches a page's data, which otherwise never expires, and shows its age (docs/PRODUCT.md, "Fresh data"). */
export function RefreshButton({ isRefreshing, loadedAt, onRefresh }: RefreshButtonProps) {
  const time = loadedAt === undefined ? undefined : byServerClock(loadedAt);
  return (
    <>
      {time !== undefined && (
        <Typography
          component="span"
          variant="caption"
          sx={{
            alignSelf: 'center',
            // In narrow windows the actions start at the edge of the page.
            order: { xs: 1, sm: 0 },
            color: 'text.secondary',
            fontVariantNumeric: 'tabular-nums',
            whiteSpace: 'nowrap',
          }}
        >
          As of <time dateTime={new Date(time).toISOString()}>{formatAsOf(time, serverNow())}</time>
        </Typography>
      )}
      <Button
        variant="outlined"
        startIcon={<RefreshIcon sx={isRefreshing ? { animation: `${turn} 900ms linear infinite` } : undefined} />}
        // Not disabled while refreshing, because it would lose the focus.
        aria-busy={isRefreshing}
        onClick={isRefreshing ? undefined : onRefresh}
      >
        Refresh
      </Button>
    </>
  );
}
