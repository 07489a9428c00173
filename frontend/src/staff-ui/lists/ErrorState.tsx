import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { leaveFocus } from './focus-by-id.ts';
import { RefreshIcon } from '../icons.tsx';
import { StateBox } from './StateBox.tsx';

interface ErrorStateProps {
  /** A sentence about the failure, e.g. "Could not load the leads." */
  readonly text: string;
  readonly onRetry: () => void;
}

/** Replaces content that could not be loaded. */
export function ErrorState({ text, onRetry }: ErrorStateProps) {
  return (
    <StateBox ref={leaveFocus} role="alert">
      <Typography sx={{ fontWeight: 600 }}>{text}</Typography>
      <Typography variant="body2" sx={{ color: 'text.secondary', marginTop: 0.5, marginBottom: 2 }}>
        The connection may be down, or the server busy.
      </Typography>
      <Button variant="outlined" size="small" startIcon={<RefreshIcon />} onClick={onRetry}>
        Try again
      </Button>
    </StateBox>
  );
}
