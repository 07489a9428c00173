import { type ComponentType, use } from 'react';
import type { PageContent } from './pages.ts';

const loaded = new Map<PageContent, ComponentType>();
const loading = new Map<PageContent, Promise<ComponentType>>();

/**
 * Loads a page's code, once.
 * @returns the page; rejects when its code does not arrive, and then the next call tries again
 */
export function loadPage(page: PageContent): Promise<ComponentType> {
  const before = loading.get(page);
  if (before) return before;
  const promise = page.load();
  loading.set(page, promise);
  promise.then(
    (content) => loaded.set(page, content),
    () => loading.delete(page),
  );
  return promise;
}

/** A page with its title. One whose code is there already is rendered at once, so that it takes over what the build painted. */
export function PageView({ page }: { readonly page: PageContent }) {
  const Content = loaded.get(page) ?? use(loadPage(page));
  return (
    <>
      <title>{page.title}</title>
      {/* oxlint-disable-next-line react/static-components -- a page's component is loaded once and stays the same */}
      <Content />
    </>
  );
}
