import type { ContactMessage } from '@dune-tide/domain/forms/contact';
import { api } from '../../api-client/base-api.ts';
import { formPost, type StoredLead, type Submission } from '../../api-client/submit-form.ts';

const contactApi = api.injectEndpoints({
  endpoints: (build) => ({
    sendContactMessage: build.mutation<
      StoredLead,
      { readonly message: ContactMessage; readonly submission: Submission }
    >({
      query: ({ message, submission }) => formPost('/api/contact', message, submission),
    }),
  }),
});

export const { useSendContactMessageMutation } = contactApi;
