import GlobalStyles from '@mui/material/GlobalStyles';
import type { UnknownAction } from '@reduxjs/toolkit';
import { SnackbarProvider, useSnackbar, type CloseReason, type SnackbarKey, type SnackbarOrigin } from 'notistack';
import { useEffect, useRef } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import type { ThunkDispatch } from '@reduxjs/toolkit';
import { toastLimits } from './toast-limits.ts';
import { dismissToast } from './toast-thunks.ts';
import { selectToasts } from './toasts-slice.ts';
import { StoreProvider } from '../store/StoreProvider.tsx';
import { narrowWindowQuery, pageId, shortWindowQuery, wideFrom } from '../styles/layout-constants.ts';
import { ToastCard } from './ToastCard.tsx';

type Dispatch = ThunkDispatch<unknown, unknown, UnknownAction>;

export interface ToastStackProps {
  readonly container: HTMLElement;
}

const stackClass = 'toast-stack';
// Twice, to count for more than notistack's own.
const stack = `.${stackClass}.${stackClass}`;

const placeStyles = {
  // A toast makes way for a dialog that opens, which has its buttons at the right.
  [`html:has(#${pageId}[inert]) ${stack}`]: { right: 'auto', left: 20 },
  // The staff's toasts are always there, beside their navigation: half of their work is done in dialogs.
  [`html:has(#${pageId}[data-area="staff"]) ${stack}`]: {
    right: 'auto',
    left: 20,
    [`@media (min-width: ${wideFrom}rem)`]: { left: 'calc(15.5rem + 20px)' },
  },
  // From edge to edge of what the page shows.
  [`@media ${narrowWindowQuery}`]: { [stack]: { left: 20, right: 20, width: 'auto' } },
};

/**
 * The place of a toast that appears: beside an open dialog it is the same, so that it stays there when that closes. In a
 * narrow or short window a form's button is at the bottom, right where whoever pressed it looks and presses again.
 */
function placeOfNewToast(): SnackbarOrigin {
  const isOverDialog = document.getElementById(pageId)?.inert === true;
  const isNarrow = window.matchMedia(narrowWindowQuery).matches;
  const isShort = window.matchMedia(shortWindowQuery).matches;
  return { vertical: isNarrow || isShort ? 'top' : 'bottom', horizontal: isNarrow || isOverDialog ? 'left' : 'right' };
}

/** The store's toasts on the screen, by notistack. */
export default function ToastStack(props: ToastStackProps) {
  return (
    <StoreProvider>
      <Stack {...props} />
    </StoreProvider>
  );
}

function Stack({ container }: ToastStackProps) {
  const dispatch = useDispatch<Dispatch>();
  const dismiss = (_event: unknown, reason: CloseReason, key?: SnackbarKey) => {
    // A toast that makes room for a newer one has left the store already.
    if (reason !== 'maxsnack' && key !== undefined) dispatch(dismissToast(String(key)));
  };
  return (
    <SnackbarProvider
      maxSnack={toastLimits.atOnce}
      // `ToastCard` counts: notistack holds a toast under the pointer only.
      autoHideDuration={null}
      domRoot={container}
      classes={{ containerRoot: stackClass }}
      onClose={dismiss}
    >
      <GlobalStyles styles={placeStyles} />
      <Shown />
    </SnackbarProvider>
  );
}

function Shown() {
  const toasts = useSelector(selectToasts);
  const { enqueueSnackbar, closeSnackbar } = useSnackbar();
  const shown = useRef(new Set<string>());

  useEffect(() => {
    for (const toast of toasts) {
      if (!toast.open && shown.current.delete(toast.id)) closeSnackbar(toast.id);
      if (!toast.open || shown.current.has(toast.id)) continue;
      shown.current.add(toast.id);
      enqueueSnackbar(toast.text, {
        key: toast.id,
        anchorOrigin: placeOfNewToast(),
        content: () => <ToastCard toast={toast} onDismiss={() => closeSnackbar(toast.id)} />,
      });
    }
  }, [toasts, enqueueSnackbar, closeSnackbar]);

  return null;
}
