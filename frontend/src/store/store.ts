import { configureStore } from '@reduxjs/toolkit';
import { api } from '../api-client/base-api.ts';

/** The site's store: what RTK Query has loaded. */
export const store = configureStore({
  reducer: { [api.reducerPath]: api.reducer },
  middleware: (defaults) => defaults().concat(api.middleware),
});

/** What takes the store's actions and thunks. */
export type AppDispatch = typeof store.dispatch;
