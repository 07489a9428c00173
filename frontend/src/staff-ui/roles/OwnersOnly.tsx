import Typography from '@mui/material/Typography';
import type { staffCalls } from '@dune-tide/domain/staff-calls';
import type { ReactNode } from 'react';
import { useMayCall } from './use-may-call.ts';

interface OwnersOnlyProps {
  /** A call that the children make. */
  readonly call: keyof typeof staffCalls;
  /** The act of the children, as the end of "Only an owner can …". */
  readonly what: string;
  readonly children?: ReactNode;
}

/** Shows its children to accounts that may make a call, and to others the reason why something is missing. */
export function OwnersOnly({ call, what, children }: OwnersOnlyProps) {
  if (useMayCall(call)) return children;
  return (
    <Typography variant="body2" sx={{ marginBlock: 2, color: 'text.secondary' }}>
      Only an owner can {what}.
    </Typography>
  );
}
