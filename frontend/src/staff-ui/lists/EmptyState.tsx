import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { StateBox } from './StateBox.tsx';

interface EmptyStateProps {
  /** E.g. "No recipes yet". */
  readonly text: string;
  /** How to add the first entry, or where entries come from. */
  readonly hint?: string;
  readonly action?: ReactNode;
}

/** Shown in place of an empty list. */
export function EmptyState({ text, hint, action }: EmptyStateProps) {
  return (
    <StateBox>
      <Typography variant="h3" component="p">
        {text}
      </Typography>
      {hint !== undefined && (
        <Typography variant="body2" sx={{ color: 'text.secondary', marginTop: 0.75 }}>
          {hint}
        </Typography>
      )}
      {action !== undefined && <Box sx={{ marginTop: 2.5 }}>{action}</Box>}
    </StateBox>
  );
}
