import { configureStore } from '@reduxjs/toolkit';
import { api } from '../api-client/base-api.ts';

/** The site's store; it contains RTK Query's cache. */
export const store = configureStore({
  reducer: { [api.reducerPath]: api.reducer },
  middleware: (defaults) => defaults().concat(api.middleware),
});

/** The type that accepts the store's actions and thunks. */
export type AppDispatch = typeof store.dispatch;

export type RootState = ReturnType<typeof store.getState>;
