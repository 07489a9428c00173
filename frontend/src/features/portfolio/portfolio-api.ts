import type { PortfolioRequest } from '@dune-tide/domain/forms/portfolio-request';
import { api } from '../../lib/api.ts';

const portfolioApi = api.injectEndpoints({
  endpoints: (build) => ({
    requestPortfolio: build.mutation<unknown, { readonly request: PortfolioRequest; readonly idempotencyKey: string }>({
      query: ({ request, idempotencyKey }) => ({
        method: 'POST',
        url: '/api/portfolio-lead',
        body: request,
        idempotencyKey,
      }),
    }),
  }),
});

export const { useRequestPortfolioMutation } = portfolioApi;
