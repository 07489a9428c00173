import CssBaseline from '@mui/material/CssBaseline';
import GlobalStyles from '@mui/material/GlobalStyles';
import { ThemeProvider } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { LoadBoundary } from '../ui/LoadBoundary.tsx';
import { modalRootId } from '../styles/layout-constants.ts';
import { ToastRegion } from '../toasts/ToastRegion.tsx';
import { duskStyles } from '../styles/palette-variables.ts';
import { nightBandStyles, theme } from './theme.ts';

interface AppProps {
  /** The router with its pages: a browser router, or a static one in the build. */
  readonly children: ReactNode;
}

/** The application around a page. The toasts are outside of the element that an open modal makes inert. */
export function App({ children }: AppProps) {
  return (
    // Without `noSsr` the theme renders twice, which discards prerendered parts whose code has not loaded yet.
    <ThemeProvider theme={theme} noSsr>
      <CssBaseline />
      <GlobalStyles styles={[duskStyles, nightBandStyles]} />
      <LoadBoundary isOfPage>{children}</LoadBoundary>
      <div id={modalRootId} />
      <ToastRegion />
    </ThemeProvider>
  );
}
