import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { store } from './store.ts';

/**
 * Gives what it surrounds the site's store. It stands around what needs the store rather than around the whole page,
 * so that a page without a form loads neither the store nor RTK Query.
 */
export function StoreProvider({ children }: { readonly children: ReactNode }) {
  return <Provider store={store}>{children}</Provider>;
}
