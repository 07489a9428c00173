import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import visuallyHidden from '@mui/utils/visuallyHidden';
import { SkeletonRows } from '../../staff-ui/lists/SkeletonRows.tsx';

/** A placeholder for a page until the session has been checked. */
export function PageSkeleton() {
  return (
    <Box component="output" sx={{ display: 'block' }}>
      <h1 style={visuallyHidden}>Loading</h1>
      <Skeleton width="min(14rem, 60%)" height={44} sx={{ marginBottom: 4 }} />
      <SkeletonRows count={5} />
    </Box>
  );
}
