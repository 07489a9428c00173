import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { SubmitAlert } from './SubmitAlert.tsx';
import { SubmitButton } from './SubmitButton.tsx';

interface SubmitRowProps {
  readonly label: string;
  readonly pendingLabel: string;
}

/** The end of a public form: when to try again, its button, and what the stars mean. */
export function SubmitRow({ label, pendingLabel }: SubmitRowProps) {
  return (
    <>
      <SubmitAlert />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2.5 }}>
        <SubmitButton label={label} pendingLabel={pendingLabel} />
        <Typography variant="caption" sx={{ color: 'text.secondary' }}>
          Fields with * are required.
        </Typography>
      </Box>
    </>
  );
}
