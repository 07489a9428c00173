import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { type ReactNode, useId } from 'react';

interface DraftNoticeProps {
  /** The description of the draft. */
  readonly children: ReactNode;
  readonly onOpen: () => void;
}

/** Offers to continue a draft after a reload or the end of a session. */
export function DraftNotice({ children, onOpen }: DraftNoticeProps) {
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
      <Button size="small" variant="outlined" aria-describedby={textId} onClick={onOpen}>
        Continue draft
      </Button>
    </Box>
  );
}
