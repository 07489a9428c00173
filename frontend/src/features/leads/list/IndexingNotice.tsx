import Typography from '@mui/material/Typography';
import { formatCount } from '../../../format/numbers.ts';

interface IndexingNoticeProps {
  /** How many leads can be searched; null or undefined if all can. */
  readonly progress: { readonly indexed: number; readonly total: number } | null | undefined;
}

/** Says that a search may miss leads, while their search texts are written (docs/PRODUCT.md, "Search"). */
export function IndexingNotice({ progress }: IndexingNoticeProps) {
  if (!progress) return null;
  return (
    <Typography variant="body2" sx={{ paddingBlock: 1, color: 'text.secondary', displayPrint: 'none' }}>
      Still indexing: {formatCount(progress.indexed)} of {formatCount(progress.total)}. A search may miss the others.
    </Typography>
  );
}
