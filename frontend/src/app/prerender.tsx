import { StrictMode } from 'react';
import { prerender } from 'react-dom/static';
import { StaticRouter } from 'react-router-dom';
import { App } from './App.tsx';
import { Router } from './router.tsx';

/**
 * Renders a page as HTML for the build, so that a visitor sees it before any script has run.
 * @param path - the page's path
 * @returns the markup, including React's `<title>` and Emotion's `<style>` elements
 */
export async function renderPage(path: string): Promise<string> {
  const { prelude } = await prerender(
    <StrictMode>
      <App>
        <StaticRouter location={path}>
          <Router />
        </StaticRouter>
      </App>
    </StrictMode>,
    // Otherwise React puts large parts at the end of the page and an inline script moves them.
    { progressiveChunkSize: Number.POSITIVE_INFINITY },
  );
  return new Response(prelude).text();
}
