import { startTransition, StrictMode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter, matchPath } from 'react-router-dom';
import { firstStaffPath, staffPath } from '../routing/staff-paths.ts';
import { loadForms } from '../form/lazy-form.tsx';
import { App } from './App.tsx';
import { fingerprint } from './fingerprint.ts';
import { tolerateMovedNodes } from './moved-nodes.ts';
import { loadPage } from './page-view.tsx';
import { notFoundPage, pages } from './pages.ts';
import { Router } from './router.tsx';
import { loadStaffArea } from './staff-area-view.tsx';
import { loginPage, staffPages, staffPaths } from './staff-pages.ts';

const pageAt = (path: string) => pages.find((page) => page.path === path);
const isOf = (pattern: string, path: string) => matchPath({ path: pattern, caseSensitive: true }, path) !== null;
const isStaffPath = (path: string) => staffPaths.some((pattern) => isOf(pattern, path));
function staffPageAt(path: string) {
  const shown = path === staffPath.entrance ? firstStaffPath : path;
  return [loginPage, ...staffPages].find(({ paths }) => paths.some((pattern) => isOf(pattern, shown)));
}

/** Loads the code behind one of our own paths. */
async function loadCodeOf(path: string): Promise<void> {
  if (!isStaffPath(path)) {
    await loadPage(pageAt(path) ?? notFoundPage);
    return;
  }
  const page = staffPageAt(path);
  await Promise.all([loadStaffArea(), page && loadPage(page)]);
}

/**
 * Starts the application on the page that the visitor is on.
 * @param root - holds the page that the build painted, or nothing
 * @param touched - what the visitor touched first
 * @throws when the page's code does not arrive
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
  // React cannot take a changed page over: the forms come in the same step as the page. Each reports a failure itself.
  if (isPainted && isChanged(root)) await loadForms().catch(() => undefined);
  tolerateMovedNodes();
  // As a transition it lets the browser do other things in between.
  if (isPainted && !isChanged(root)) startTransition(() => void hydrateRoot(root, app));
  else {
    // React adds the page's title after this one, which would stay the document's.
    document.querySelector('head > title')?.remove();
    if (isPainted) flushSync(() => createRoot(root).render(app));
    else createRoot(root).render(app);
  }
  for (const type of ['pointerover', 'focusin', 'touchstart']) {
    document.addEventListener(type, ({ target }) => loadLinkedPage(target), { passive: true });
  }
  loadLinkedPage(touched);
}

/** Whether another program has changed the page that the build painted, so that React cannot take it over. */
function isChanged(root: HTMLElement): boolean {
  let text = root.textContent;
  for (const { textContent } of root.querySelectorAll('noscript')) text = text.replace(textContent, '');
  return fingerprint(root.querySelectorAll('*').length, text) !== root.dataset['painted'];
}

/** Loads the page behind a link that the visitor may be about to follow. */
function loadLinkedPage(target: EventTarget | null): void {
  const link = target instanceof Element ? target.closest('a') : null;
  const isOurs =
    link && link.origin === location.origin && (pageAt(link.pathname) !== undefined || isStaffPath(link.pathname));
  // When it fails, following the link tries again and says what is wrong.
  if (isOurs) loadCodeOf(link.pathname).catch(() => undefined);
}
