import { StrictMode } from 'react';
import { prerender } from 'react-dom/static';
import { StaticRouter } from 'react-router-dom';
import { App } from './App.tsx';
import { Router } from './router.tsx';

/**
 * A page as HTML, for the build to put into the shell: the visitor sees it before any script has run.
 * @param path - the page's path
 * @returns the markup with React's `<title>` and Emotion's `<style>` elements in it
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
    // Otherwise large parts would stand at the end of the page and be moved into place by an inline script.
    { progressiveChunkSize: Number.POSITIVE_INFINITY },
  );
  return new Response(prelude).text();
}
