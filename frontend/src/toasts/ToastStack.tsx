import GlobalStyles from '@mui/material/GlobalStyles';
import { SnackbarProvider } from 'notistack';
import { useEffect } from 'react';
import { narrowWindowQuery, pageId, wideFrom } from '../styles/layout-constants.ts';
import { toastLimits } from './toast-limits.ts';
import { ToastCard } from './ToastCard.tsx';
import { stackMounted } from './toasts.ts';

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

/** Where notistack shows the toasts. */
export default function ToastStack({ container }: ToastStackProps) {
  useEffect(stackMounted, []);
  return (
    <SnackbarProvider
      maxSnack={toastLimits.atOnce}
      // `ToastCard` counts: notistack holds a toast under the pointer only.
      autoHideDuration={null}
      domRoot={container}
      classes={{ containerRoot: stackClass }}
      Components={{ success: ToastCard, error: ToastCard }}
    >
      <GlobalStyles styles={placeStyles} />
    </SnackbarProvider>
  );
}
