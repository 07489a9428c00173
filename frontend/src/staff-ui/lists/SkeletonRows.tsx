import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';

/** Placeholder rows of a list. The parent announces that it is loading. */
export function SkeletonRows({ count }: { readonly count: number }) {
  return (
    <Box aria-hidden="true" sx={{ displayPrint: 'none', borderTop: 1, borderColor: 'divider' }}>
      {Array.from({ length: count }, (_, row) => (
        <Box
          key={row}
          sx={{
            display: 'grid',
            gridTemplateColumns: '2fr 1fr 1fr',
            gap: 3,
            alignItems: 'center',
            height: 56,
            borderBottom: 1,
            borderColor: 'divider',
          }}
        >
          <Skeleton width={`${70 - (row % 3) * 14}%`} />
          <Skeleton width={`${50 + (row % 2) * 22}%`} />
          <Skeleton width="60%" />
        </Box>
      ))}
    </Box>
  );
}
