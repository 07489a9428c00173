import { createContext, use, useLayoutEffect } from 'react';

/** Puts what is open on a page before the page's title; undefined when nothing is. */
export const PageTitleContext = createContext<(part: string | undefined) => void>(() => undefined);

/** Names what is open on the page, e.g. a lead, in the page's title. */
export function useTitlePart(part: string | undefined): void {
  const tell = use(PageTitleContext);
  useLayoutEffect(() => {
    tell(part);
    return () => tell(undefined);
  }, [tell, part]);
}
