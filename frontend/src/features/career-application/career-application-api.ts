import type { CareerApplication } from '@dune-tide/domain/forms/career-application';
import { api } from '../../lib/api.ts';

interface SentApplication {
  readonly application: CareerApplication;
  readonly idempotencyKey: string;
}

const careerApplicationApi = api.injectEndpoints({
  endpoints: (build) => ({
    sendCareerApplication: build.mutation<unknown, SentApplication>({
      query: ({ application, idempotencyKey }) => ({
        method: 'POST',
        url: '/api/careers',
        body: application,
        idempotencyKey,
      }),
    }),
  }),
});

export const { useSendCareerApplicationMutation } = careerApplicationApi;
