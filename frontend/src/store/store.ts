import { configureStore } from '@reduxjs/toolkit';
import { api } from '../api-client/base-api.ts';
import { toastsSlice } from '../toasts/toasts-slice.ts';

/** A fresh store; the site has one, each test its own. */
export function createStore() {
  return configureStore({
    reducer: { [api.reducerPath]: api.reducer, [toastsSlice.reducerPath]: toastsSlice.reducer },
    middleware: (defaults) => defaults().concat(api.middleware),
  });
}

/** What takes the store's actions and thunks. */
export type AppDispatch = ReturnType<typeof createStore>['dispatch'];
