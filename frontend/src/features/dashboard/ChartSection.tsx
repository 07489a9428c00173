import { brand } from '@dune-tide/domain/brand';
import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { lazy, Suspense } from 'react';
import { ErrorState } from '../../staff-ui/lists/ErrorState.tsx';
import { LoadBoundary } from '../../ui/LoadBoundary.tsx';
import { provideFindLast } from './find-last.ts';
import type { Trends } from './dashboard-api.ts';

/** Loaded after the page is shown, because the chart library is larger than the page. */
const Charts = lazy(() => {
  provideFindLast();
  return import('./Charts.tsx');
});

interface ChartSectionProps {
  /** The studio's time zone; its default while the session loads. */
  readonly timeZone?: string | undefined;
  /** Undefined while they load. */
  readonly trends: Trends | undefined;
  readonly hasFailed: boolean;
  readonly onRetry: () => void;
}

/** The charts of the dashboard, or placeholders of the same size while they load. */
export function ChartSection({ timeZone = brand.timeZone, trends, hasFailed, onRetry }: ChartSectionProps) {
  return (
    <Box component="section" aria-labelledby="trends" sx={{ marginTop: 'clamp(2rem, 4vw, 3rem)' }}>
      <Typography id="trends" variant="h2" sx={{ marginBottom: 2 }}>
        Trends
      </Typography>
      {hasFailed && !trends ? (
        <ErrorState text="Could not load the charts." onRetry={onRetry} />
      ) : (
        <Box
          aria-busy={trends === undefined}
          sx={{
            display: 'grid',
            gridTemplateColumns: { sm: 'repeat(2, minmax(0, 1fr))', lg: 'repeat(3, minmax(0, 1fr))' },
            columnGap: 4,
            rowGap: 4,
            // The last chart of an odd number fills its row.
            '& > :last-child': { gridColumn: { sm: '1 / -1', lg: 'auto' } },
          }}
        >
          {trends ? (
            <LoadBoundary>
              <Suspense fallback={<Placeholders />}>
                <Charts {...trends} timeZone={timeZone} />
              </Suspense>
            </LoadBoundary>
          ) : (
            <Placeholders />
          )}
        </Box>
      )}
    </Box>
  );
}

function Placeholders() {
  return [1, 2, 3].map((each) => (
    <div key={each} aria-hidden="true">
      <Skeleton width="40%" />
      <Skeleton variant="rounded" height={210} sx={{ marginTop: 1 }} />
      <Skeleton width="70%" sx={{ marginTop: 1 }} />
    </div>
  ));
}
