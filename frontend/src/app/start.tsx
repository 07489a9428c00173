import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { App } from './App.tsx';
import { loadPage } from './page-view.tsx';
import { notFoundPage, pages } from './pages.ts';
import { Router } from './router.tsx';

const pageAt = (path: string) => pages.find((page) => page.path === path);

/**
 * Starts the application on the page that the visitor is on.
 * @param root - holds the page that the build painted, or nothing
 * @param touched - what the visitor touched first
 * @throws when the page's code does not arrive
 */
export async function start(root: HTMLElement, touched: EventTarget | null): Promise<void> {
  await loadPage(pageAt(location.pathname) ?? notFoundPage);
  const app = (
    <StrictMode>
      <App>
        <BrowserRouter>
          <Router />
        </BrowserRouter>
      </App>
    </StrictMode>
  );
  if (root.hasChildNodes()) hydrateRoot(root, app);
  else createRoot(root).render(app);
  for (const type of ['pointerover', 'focusin', 'touchstart']) {
    document.addEventListener(type, ({ target }) => loadLinkedPage(target), { passive: true });
  }
  loadLinkedPage(touched);
}

/** Loads the page behind a link that the visitor may be about to follow. */
function loadLinkedPage(target: EventTarget | null): void {
  const link = target instanceof Element ? target.closest('a') : null;
  const page = link && link.origin === location.origin ? pageAt(link.pathname) : undefined;
  // When it fails, following the link tries again and says what is wrong.
  if (page) loadPage(page).catch(() => undefined);
}
