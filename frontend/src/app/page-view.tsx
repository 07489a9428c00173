import { type ComponentType, use, useEffect, useState } from 'react';
import { isGone } from '../ui/load-failure.ts';
import { PageTitleContext, TitlePrefixContext } from '../ui/page-title.ts';
import type { Page, PageContent } from './pages.ts';

const loaded = new Map<PageContent, ComponentType>();
const loading = new Map<PageContent, Promise<ComponentType>>();
const gone = new Set<PageContent>();
const never = new Promise<ComponentType>(() => undefined);

/**
 * Loads a page's code, once.
 * @returns the page; rejects if its code cannot be loaded
 */
export function loadPage(page: PageContent): Promise<ComponentType> {
  const before = loading.get(page);
  if (before) return before;
  const promise = page.load();
  loading.set(page, promise);
  promise.then(
    (content) => loaded.set(page, content),
    (error: unknown) => {
      if (isGone(error)) gone.add(page);
      loading.delete(page);
    },
  );
  return promise;
}

/** Loads a page's code again after a failure. Reloads the document if a new release has renamed the file. */
function loadAgain(page: PageContent): Promise<ComponentType> {
  if (!gone.has(page) || !navigator.onLine) return loadPage(page);
  window.location.reload();
  return never;
}

let attempt: { readonly page: PageContent; readonly promise: Promise<ComponentType> } | undefined;

/** Returns the same promise until a page is shown, because React requests the code again after each failure. */
function loadOnce(page: PageContent): Promise<ComponentType> {
  if (attempt?.page !== page) attempt = { page, promise: loadAgain(page) };
  return attempt.promise;
}

const isPublic = (page: PageContent): page is Page => 'path' in page;

/** Updates the canonical URL in the head. The build wrote that of the first page. */
function nameAddress({ path }: Page): void {
  const canonical = document.querySelector<HTMLLinkElement>('link[rel="canonical"]');
  if (canonical) canonical.href = new URL(path, canonical.href).href;
}

/** A page with its title. If its code has loaded, it renders synchronously and hydrates the prerendered page. */
export function PageView({ page }: { readonly page: PageContent }) {
  const [part, setPart] = useState<string>();
  const prefix = use(TitlePrefixContext);
  useEffect(() => {
    attempt = undefined;
    if (isPublic(page)) nameAddress(page);
  }, [page]);
  // Must be the last hook: `use` is skipped once the code has loaded, and React allows no hook after a skipped one.
  const Content = loaded.get(page) ?? use(loadOnce(page));
  return (
    <PageTitleContext value={setPart}>
      <title>{prefix + (part === undefined ? page.title : `${part} – ${page.title}`)}</title>
      {/* oxlint-disable-next-line react/static-components -- a page's component is loaded once and stays the same */}
      <Content />
    </PageTitleContext>
  );
}
