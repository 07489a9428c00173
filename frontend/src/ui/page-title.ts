import { createContext, use, useLayoutEffect } from 'react';

/** Sets the part before the page's title; undefined removes it. */
export const PageTitleContext = createContext<(part: string | undefined) => void>(() => undefined);

/** Text before the title of every page, e.g. "(3) ". */
export const TitlePrefixContext = createContext('');

/** Adds the open entry, e.g. a lead, to the page's title. */
export function useTitlePart(part: string | undefined): void {
  const tell = use(PageTitleContext);
  useLayoutEffect(() => {
    tell(part);
    return () => tell(undefined);
  }, [tell, part]);
}
