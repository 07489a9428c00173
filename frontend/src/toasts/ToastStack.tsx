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
// Doubled to win over notistack's own styles.
const stack = `.${stackClass}.${stackClass}`;

const placeStyles = {
  // Staff toasts always appear beside the navigation, because much of the work happens in dialogs, whose buttons are on
  // the right.
  [`html:has(#${pageId}[data-area="staff"]) ${stack}`]: {
    right: 'auto',
    left: 20,
    [`@media (min-width: ${wideFrom}rem)`]: { left: 'calc(15.5rem + 20px)' },
  },
  // Above the bar with the actions on selected rows.
  [`html:has([data-selection-bar]) ${stack}`]: { bottom: 96 },
  // Spans the page's content from edge to edge.
  [`@media ${narrowWindowQuery}`]: { [stack]: { left: 20, right: 20, bottom: 'auto', width: 'auto' } },
};

/** notistack's container for the toasts. */
export default function ToastStack({ container }: ToastStackProps) {
  useEffect(stackMounted, []);
  return (
    <SnackbarProvider
      maxSnack={toastLimits.atOnce}
      // `ToastCard` has its own timer: notistack's pauses only under the pointer.
      autoHideDuration={null}
      domRoot={container}
      classes={{ containerRoot: stackClass }}
      Components={{ success: ToastCard, error: ToastCard }}
    >
      <GlobalStyles styles={placeStyles} />
    </SnackbarProvider>
  );
}
