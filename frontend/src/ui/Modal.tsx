import Dialog from '@mui/material/Dialog';
import IconButton from '@mui/material/IconButton';
import type { Theme } from '@mui/material/styles';
import { type ReactNode, useEffect, useEffectEvent, useLayoutEffect, useMemo, useState } from 'react';
import { CloseIcon } from './icons.tsx';
import { ModalHoldContext, noHold } from './modal-hold.ts';
import { modalRootId, pageId, shortWindow, sticky } from '../styles/layout-constants.ts';
import { useBackToClose } from './use-back-to-close.ts';
import { useDoublePress } from './use-double-press.ts';

function holdPage(): void {
  const page = document.getElementById(pageId);
  const { documentElement } = document;
  const scrollbar = window.innerWidth - documentElement.clientWidth;
  if (page) page.inert = true;
  documentElement.style.overflow = 'hidden';
  documentElement.style.setProperty('--scrollbar-width', `${scrollbar}px`);
}

function releasePage(): void {
  const page = document.getElementById(pageId);
  const { documentElement } = document;
  if (page) page.inert = false;
  documentElement.style.overflow = '';
  documentElement.style.removeProperty('--scrollbar-width');
}

interface ModalProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** The id of the element that names the modal. */
  readonly labelledBy: string;
  /** Wide modals are for long texts and forms, and fill a narrow window. */
  readonly width?: 'sm' | 'md' | 'lg';
  /** Whether a separate address opened it, so that the browser's Back closes it anyway. */
  readonly hasAddress?: boolean;
  readonly children: ReactNode;
}

/** The number of open modals: one may be above another. */
let openModals = 0;

/** The size of the close button, in pixels. */
const closeSize = 40;

const wholeWindow = {
  '& .MuiDialog-paper': {
    width: '100%',
    maxWidth: 'none',
    height: '100%',
    maxHeight: 'none',
    margin: 0,
    borderRadius: 0,
  },
};

const short = (theme: Theme) => ({
  [`${shortWindow} and (max-width: ${theme.breakpoints.values.md}rem)`]: wholeWindow,
});

const wide = (theme: Theme) => ({ [theme.breakpoints.down('sm')]: wholeWindow });

/**
 * A dialog over the page. Its button, the backdrop, Escape and the browser's Back close it, unless its content keeps it open
 * (`useModalHold`). The content mounts again each time that it opens.
 */
export function Modal({ open, onClose, labelledBy, width = 'sm', hasAddress = false, children }: ModalProps) {
  const [hold, onHold] = useState(noHold);
  const doublePress = useDoublePress();
  const holding = useMemo(() => ({ hold, onHold }), [hold]);
  const close = () => {
    if (!hold.isBusy) onClose();
  };
  useBackToClose(open && !hasAddress, close, hold.isBusy);

  // A layout effect, because the page must accept focus again before MUI returns it to the opener.
  useLayoutEffect(() => {
    if (!open) return undefined;
    openModals += 1;
    if (openModals === 1) holdPage();
    return () => {
      openModals -= 1;
      if (openModals === 0) releasePage();
    };
  }, [open]);

  // A focused button that becomes disabled loses the focus to the body, where the dialog receives no key events.
  const closeFromBody = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    if (document.activeElement === document.body) close();
  });
  useEffect(() => {
    if (!open) return undefined;
    const listen = (event: KeyboardEvent) => closeFromBody(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [open]);

  return (
    <Dialog
      open={open}
      onClose={(event, reason) => {
        // The second click of the double click that opened the modal already hits the backdrop.
        if (reason === 'escapeKeyDown' || (!hold.isTyped && !doublePress.isSecond(event))) close();
      }}
      aria-labelledby={labelledBy}
      container={() => document.getElementById(modalRootId)}
      // The inert page keeps the focus in the dialog, and F8 must be able to move it to the toasts.
      disableEnforceFocus
      disableScrollLock
      fullWidth
      maxWidth={width}
      sx={[short, width !== 'sm' && wide]}
    >
      <IconButton
        aria-label="Close"
        disabled={hold.isBusy}
        onClick={close}
        color="inherit"
        // It sticks to the top of a long dialog and takes no space.
        sx={{
          position: sticky,
          top: 12,
          alignSelf: 'flex-end',
          flexShrink: 0,
          margin: `12px 12px ${-12 - closeSize}px 0`,
          width: closeSize,
          height: closeSize,
          zIndex: 2,
          background: 'var(--dt-palette-background-paperBand)',
          '&:hover': {
            background: 'color-mix(in srgb, var(--dt-palette-text-primary) 8%, var(--dt-palette-background-paperBand))',
          },
        }}
      >
        <CloseIcon />
      </IconButton>
      <ModalHoldContext value={holding}>{children}</ModalHoldContext>
    </Dialog>
  );
}
