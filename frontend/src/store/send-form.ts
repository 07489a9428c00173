import { api } from '../api-client/base-api.ts';
import type { Call } from '../api-client/request.ts';
import type { StoredLead } from '../api-client/submit-form.ts';
import { store } from './store.ts';

const formsApi = api.injectEndpoints({
  endpoints: (build) => ({ sendForm: build.mutation<StoredLead, Call>({ query: (call) => call }) }),
});

/** Sends a public form. @returns a promise that rejects with a `RequestFailure` */
export const sendForm = (call: Call): Promise<StoredLead> =>
  store.dispatch(formsApi.endpoints.sendForm.initiate(call, { track: false })).unwrap();
