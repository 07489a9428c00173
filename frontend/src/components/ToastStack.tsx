import GlobalStyles from '@mui/material/GlobalStyles';
import type { UnknownAction } from '@reduxjs/toolkit';
import { SnackbarProvider, useSnackbar, type CloseReason, type SnackbarKey } from 'notistack';
import { useEffect, useRef } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import type { ThunkDispatch } from '@reduxjs/toolkit';
import { toastLimits } from '../lib/constants.ts';
import { dismissToast } from '../lib/toasts/toast-thunks.ts';
import { selectToasts } from '../lib/toasts/toasts-slice.ts';
import { StoreProvider } from './StoreProvider.tsx';
import { ToastCard } from './ToastCard.tsx';

type Dispatch = ThunkDispatch<unknown, unknown, UnknownAction>;

interface ToastStackProps {
  readonly container: HTMLElement;
  /** For a toast that leaves with the focus in it. */
  readonly giveFocusBack: () => void;
}

/** At the right, unless a dialog is open, which has its buttons there. */
const placeStyles = {
  '.notistack-SnackbarContainer': { maxWidth: '100vw' },
  'html:has([role="dialog"]) .notistack-SnackbarContainer': {
    right: 'auto',
    left: 20,
    '@media (max-width: 599.95px)': { bottom: 'auto', top: 12, left: 16 },
  },
};

/** The store's toasts on the screen, by notistack. */
export default function ToastStack(props: ToastStackProps) {
  return (
    <StoreProvider>
      <Stack {...props} />
    </StoreProvider>
  );
}

function Stack({ container, giveFocusBack }: ToastStackProps) {
  const dispatch = useDispatch<Dispatch>();
  const dismiss = (_event: unknown, reason: CloseReason, key?: SnackbarKey) => {
    // A toast that makes room for a newer one has left the store already.
    if (reason !== 'maxsnack' && key !== undefined) dispatch(dismissToast(String(key)));
  };
  return (
    <SnackbarProvider
      maxSnack={toastLimits.atOnce}
      autoHideDuration={toastLimits.duration}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      domRoot={container}
      onClose={dismiss}
    >
      <GlobalStyles styles={placeStyles} />
      <Shown giveFocusBack={giveFocusBack} />
    </SnackbarProvider>
  );
}

function Shown({ giveFocusBack }: Pick<ToastStackProps, 'giveFocusBack'>) {
  const toasts = useSelector(selectToasts);
  const { enqueueSnackbar, closeSnackbar } = useSnackbar();
  const shown = useRef(new Set<string>());

  useEffect(() => {
    for (const toast of toasts) {
      if (!toast.open || shown.current.has(toast.id)) continue;
      shown.current.add(toast.id);
      enqueueSnackbar(toast.text, {
        key: toast.id,
        content: () => (
          <ToastCard toast={toast} onDismiss={() => closeSnackbar(toast.id)} onFocusLost={giveFocusBack} />
        ),
      });
    }
  }, [toasts, enqueueSnackbar, closeSnackbar, giveFocusBack]);

  return null;
}
