import type { CareerApplication } from '@dune-tide/domain/forms/career-application';
import { api } from '../../api-client/base-api.ts';
import { formPost, type StoredLead, type Submission } from '../../api-client/submit-form.ts';

interface SentApplication {
  readonly application: CareerApplication;
  readonly submission: Submission;
}

const careerApplicationApi = api.injectEndpoints({
  endpoints: (build) => ({
    sendCareerApplication: build.mutation<StoredLead, SentApplication>({
      query: ({ application, submission }) => formPost('/api/careers', application, submission),
    }),
  }),
});

export const { useSendCareerApplicationMutation } = careerApplicationApi;
