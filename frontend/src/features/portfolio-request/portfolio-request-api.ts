import type { PortfolioRequest } from '@dune-tide/domain/forms/portfolio-request';
import { api } from '../../api-client/base-api.ts';
import { formPost, type StoredLead, type Submission } from '../../api-client/submit-form.ts';

const portfolioApi = api.injectEndpoints({
  endpoints: (build) => ({
    requestPortfolio: build.mutation<
      StoredLead,
      { readonly request: PortfolioRequest; readonly submission: Submission }
    >({
      query: ({ request, submission }) => formPost('/api/portfolio-lead', request, submission),
    }),
  }),
});

export const { useRequestPortfolioMutation } = portfolioApi;
