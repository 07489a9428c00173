import type { DiscoveryInquiry } from '@dune-tide/domain/forms/discovery';
import type { ProjectInquiry } from '@dune-tide/domain/forms/project-inquiry';
import type { ServiceInquiry } from '@dune-tide/domain/forms/service-inquiry';
import { api } from './api.ts';

interface SentInquiry {
  readonly inquiry: ServiceInquiry | ProjectInquiry | DiscoveryInquiry;
  readonly idempotencyKey: string;
}

/** POST /api/service-inquiry, which several features' forms send to (specification §7). */
const serviceInquiryApi = api.injectEndpoints({
  endpoints: (build) => ({
    sendServiceInquiry: build.mutation<unknown, SentInquiry>({
      query: ({ inquiry, idempotencyKey }) => ({
        method: 'POST',
        url: '/api/service-inquiry',
        body: inquiry,
        idempotencyKey,
      }),
    }),
  }),
});

export const { useSendServiceInquiryMutation } = serviceInquiryApi;
