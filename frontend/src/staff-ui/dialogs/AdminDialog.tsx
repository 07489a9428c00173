import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { useIsModalBusy } from '../../ui/modal-hold.ts';
import { Modal } from '../../ui/Modal.tsx';

interface AdminDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: ReactNode;
  readonly introduction?: ReactNode;
  readonly children: ReactNode;
}

/** A dialog of the staff area. Its first field gets the focus when it opens. */
export function AdminDialog({ open, onClose, title, introduction, children }: AdminDialogProps) {
  const titleId = useId();
  return (
    <Modal open={open} onClose={onClose} labelledBy={titleId}>
      <Content>
        <Typography id={titleId} variant="h2" sx={{ paddingRight: 4 }}>
          {title}
        </Typography>
        {introduction !== undefined && (
          <Typography sx={{ marginTop: 1, color: 'text.secondary' }}>{introduction}</Typography>
        )}
        <Box sx={{ marginTop: 2.5 }}>{children}</Box>
      </Content>
    </Modal>
  );
}

function Content({ children }: { readonly children: ReactNode }) {
  const content = useRef<HTMLDivElement>(null);
  useLayoutEffect(
    () => content.current?.querySelector<HTMLElement>('input:not([hidden]), select, textarea')?.focus(),
    [],
  );
  return (
    <Box ref={content} sx={{ padding: 'clamp(1.25rem, 4vw, 2rem)' }}>
      {children}
    </Box>
  );
}

/** The buttons at the end of a dialog; the primary action is last. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap-reverse',
        justifyContent: 'flex-end',
        gap: 1.25,
        marginTop: 2,
        '& > *': { flexGrow: { xs: 1, sm: 0 } },
      }}
    >
      {children}
    </Box>
  );
}

interface DismissButtonProps {
  readonly onClick: () => void;
  readonly children?: ReactNode;
}

/** Closes a dialog without its action. Disabled while the action is pending. */
export function DismissButton({ onClick, children = 'Cancel' }: DismissButtonProps) {
  return (
    <Button variant="outlined" disabled={useIsModalBusy()} onClick={onClick}>
      {children}
    </Button>
  );
}
