import type { DiscoveryInquiry } from '@dune-tide/domain/forms/discovery';
import type { ProjectInquiry } from '@dune-tide/domain/forms/project-inquiry';
import type { ServiceInquiry } from '@dune-tide/domain/forms/service-inquiry';
import { api } from '../../api-client/base-api.ts';
import { formPost, type StoredLead, type Submission } from '../../api-client/submit-form.ts';

interface SentInquiry {
  readonly inquiry: ServiceInquiry | ProjectInquiry | DiscoveryInquiry;
  readonly submission: Submission;
}

/** POST /api/service-inquiry, used by the forms of several features. */
const serviceInquiryApi = api.injectEndpoints({
  endpoints: (build) => ({
    sendServiceInquiry: build.mutation<StoredLead, SentInquiry>({
      query: ({ inquiry, submission }) => formPost('/api/service-inquiry', inquiry, submission),
    }),
  }),
});

export const { useSendServiceInquiryMutation } = serviceInquiryApi;
