import CssBaseline from '@mui/material/CssBaseline';
import GlobalStyles from '@mui/material/GlobalStyles';
import { ThemeProvider } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { LoadBoundary } from '../ui/LoadBoundary.tsx';
import { modalRootId } from '../styles/layout-constants.ts';
import { ToastRegion } from '../toasts/ToastRegion.tsx';
import { nightBandStyles, theme } from './theme.ts';

interface AppProps {
  /** The router with its pages: one that follows the address bar, or one that stands still for the build. */
  readonly children: ReactNode;
}

/** The application: everything that surrounds a page. The toasts stand outside of what an open modal makes inert. */
export function App({ children }: AppProps) {
  return (
    // Without `noSsr` the theme would render a second time at once and throw painted parts away whose code is still to come.
    <ThemeProvider theme={theme} noSsr>
      <CssBaseline />
      <GlobalStyles styles={nightBandStyles} />
      <LoadBoundary isOfPage>{children}</LoadBoundary>
      <div id={modalRootId} />
      <ToastRegion />
    </ThemeProvider>
  );
}
