import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { store } from './store.ts';

/**
 * Provides the site's store. It surrounds only the parts that use the store, so that a page without a form does not
 * load the store or RTK Query.
 */
export function StoreProvider({ children }: { readonly children: ReactNode }) {
  return <Provider store={store}>{children}</Provider>;
}
