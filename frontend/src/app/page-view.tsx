import { type ComponentType, use, useEffect, useState } from 'react';
import { PageTitleContext } from '../ui/page-title.ts';
import type { Page, PageContent } from './pages.ts';

const loaded = new Map<PageContent, ComponentType>();
const loading = new Map<PageContent, Promise<ComponentType>>();
const gone = new Set<PageContent>();
const never = new Promise<ComponentType>(() => undefined);

/**
 * Loads a page's code, once.
 * @returns the page; rejects when its code does not arrive
 */
export function loadPage(page: PageContent): Promise<ComponentType> {
  const before = loading.get(page);
  if (before) return before;
  const promise = page.load();
  loading.set(page, promise);
  promise.then(
    (content) => loaded.set(page, content),
    (error: unknown) => {
      if (error instanceof Error && error.cause === 404) gone.add(page);
      loading.delete(page);
    },
  );
  return promise;
}

/** After a release the script has another name; a reload of the page, whose address is shown already, finds it. */
function loadAgain(page: PageContent): Promise<ComponentType> {
  if (!gone.has(page) || !navigator.onLine) return loadPage(page);
  window.location.reload();
  return never;
}

let attempt: { readonly page: PageContent; readonly promise: Promise<ComponentType> } | undefined;

/** React asks anew when what it waited for has failed: until another page is shown, it gets the same answer. */
function loadOnce(page: PageContent): Promise<ComponentType> {
  if (attempt?.page !== page) attempt = { page, promise: loadAgain(page) };
  return attempt.promise;
}

const isPublic = (page: PageContent): page is Page => 'path' in page;

/** What the head says of the page; the build wrote it for the page that the visitor came to. */
function describePage({ path, description }: Page): void {
  document.querySelector('meta[name="description"]')?.setAttribute('content', description);
  const canonical = document.querySelector<HTMLLinkElement>('link[rel="canonical"]');
  if (canonical) canonical.href = new URL(path, canonical.href).href;
}

/** A page with its title. One whose code is there is rendered at once, so that it takes over what the build painted. */
export function PageView({ page }: { readonly page: PageContent }) {
  const [part, setPart] = useState<string>();
  useEffect(() => {
    attempt = undefined;
    if (isPublic(page)) describePage(page);
  }, [page]);
  // The last hook: once the code has come this `use` is left out, and React lets no other follow one that is.
  const Content = loaded.get(page) ?? use(loadOnce(page));
  return (
    <PageTitleContext value={setPart}>
      <title>{part === undefined ? page.title : `${part} – ${page.title}`}</title>
      {/* oxlint-disable-next-line react/static-components -- a page's component is loaded once and stays the same */}
      <Content />
    </PageTitleContext>
  );
}
