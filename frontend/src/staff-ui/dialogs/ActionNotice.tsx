import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { type ReactNode, useId } from 'react';

interface ActionNoticeProps {
  readonly children: ReactNode;
  /** The label of the button. */
  readonly action?: string;
  readonly onAct: () => void;
}

/** A sentence with one action: by default, to continue a draft after a reload or the end of a session. */
export function ActionNotice({ children, action = 'Continue draft', onAct }: ActionNoticeProps) {
  const textId = useId();
  return (
    <Box
      sx={{
        display: 'flex',
        displayPrint: 'none',
        flexWrap: 'wrap',
        alignItems: 'center',
        justifyContent: 'space-between',
        gap: '8px 16px',
        marginBottom: 2.5,
        padding: '10px 16px',
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
      }}
    >
      <Box component="p" id={textId} sx={{ margin: 0, minWidth: 0, fontSize: '0.875rem', overflowWrap: 'anywhere' }}>
        {children}
      </Box>
      <Button size="small" variant="outlined" aria-describedby={textId} onClick={onAct}>
        {action}
      </Button>
    </Box>
  );
}
