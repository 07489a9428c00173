import type { ContactMessage } from '@dune-tide/domain/forms/contact';
import { api } from '../../lib/api.ts';

const contactApi = api.injectEndpoints({
  endpoints: (build) => ({
    sendContactMessage: build.mutation<unknown, { readonly message: ContactMessage; readonly idempotencyKey: string }>({
      query: ({ message, idempotencyKey }) => ({ method: 'POST', url: '/api/contact', body: message, idempotencyKey }),
    }),
  }),
});

export const { useSendContactMessageMutation } = contactApi;
