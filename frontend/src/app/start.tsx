import { startTransition, StrictMode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter, matchPath } from 'react-router-dom';
import { loadForms } from '../form/lazy-form.tsx';
import { App } from './App.tsx';
import { fingerprint } from './fingerprint.ts';
import { tolerateMovedNodes } from './moved-nodes.ts';
import { loadPage } from './page-view.tsx';
import { notFoundPage, pages } from './pages.ts';
import { Router } from './router.tsx';
import { loadStaffArea } from './staff-area-view.tsx';
import { accountPage, loginPage, staffPages, staffPaths } from './staff-pages.ts';

const pageAt = (path: string) => pages.find((page) => page.path === path);
const isOf = (pattern: string, path: string) => matchPath({ path: pattern, caseSensitive: true }, path) !== null;
const isStaffPath = (path: string) => staffPaths.some((pattern) => isOf(pattern, path));
function staffPageAt(path: string) {
  return [loginPage, ...staffPages, accountPage].find(({ paths }) => paths.some((pattern) => isOf(pattern, path)));
}

/** Loads the code of the page at a path of the site. */
async function loadCodeOf(path: string): Promise<void> {
  if (!isStaffPath(path)) {
    await loadPage(pageAt(path) ?? notFoundPage);
    return;
  }
  const page = staffPageAt(path);
  await Promise.all([loadStaffArea(), page && loadPage(page)]);
}

/**
 * Starts the application on the current page.
 * @param root - contains the prerendered page, or nothing
 * @param touched - the element that the visitor touched first
 * @throws if the page's code cannot be loaded
 */
export async function start(root: HTMLElement, touched: EventTarget | null): Promise<void> {
  await loadCodeOf(location.pathname);
  const app = (
    <StrictMode>
      <App>
        <BrowserRouter>
          <Router />
        </BrowserRouter>
      </App>
    </StrictMode>
  );
  const isPainted = root.hasChildNodes();
  // If React cannot hydrate the page, the forms render in the same step. Each form reports its own failure.
  if (isPainted && isChanged(root)) await loadForms().catch(() => undefined);
  tolerateMovedNodes();
  // A transition lets the browser do other work during hydration.
  if (isPainted && !isChanged(root)) startTransition(() => void hydrateRoot(root, app));
  else {
    // React appends the page's title, but browsers show the first title of a document.
    document.querySelector('head > title')?.remove();
    if (isPainted) flushSync(() => createRoot(root).render(app));
    else createRoot(root).render(app);
  }
  for (const type of ['pointerover', 'focusin', 'touchstart']) {
    document.addEventListener(type, ({ target }) => loadLinkedPage(target), { passive: true });
  }
  loadLinkedPage(touched);
}

/** Returns whether another program has changed the prerendered page, so that React cannot hydrate it. */
function isChanged(root: HTMLElement): boolean {
  let text = root.textContent;
  for (const { textContent } of root.querySelectorAll('noscript')) text = text.replace(textContent, '');
  return fingerprint(root.querySelectorAll('*').length, text) !== root.dataset['painted'];
}

/** Preloads the page behind a link that the visitor may be about to follow. */
function loadLinkedPage(target: EventTarget | null): void {
  const link = target instanceof Element ? target.closest('a') : null;
  const isOurs =
    link && link.origin === location.origin && (pageAt(link.pathname) !== undefined || isStaffPath(link.pathname));
  // If this fails, following the link tries again and shows the error.
  if (isOurs) loadCodeOf(link.pathname).catch(() => undefined);
}
