import { createContext, use, useLayoutEffect } from 'react';

/** Sets the part before the page's title; undefined removes it. */
export const PageTitleContext = createContext<(part: string | undefined) => void>(() => undefined);

/** Adds the open entry, e.g. a lead, to the page's title. */
export function useTitlePart(part: string | undefined): void {
  const tell = use(PageTitleContext);
  useLayoutEffect(() => {
    tell(part);
    return () => tell(undefined);
  }, [tell, part]);
}
