import type { FormValues } from '@dune-tide/domain/forms/form-schema';
import type { leadViewForm } from '@dune-tide/domain/forms/lead-view';
import type { leadViewResponse } from '@dune-tide/domain/responses/lead-view';
import type { Json } from '@dune-tide/domain/responses/schema';
import { api } from '../../../api-client/base-api.ts';

/** A view that the user has saved. */
export type LeadView = Json<typeof leadViewResponse>;
/** The name and the query string of a new view. */
export type NewLeadView = FormValues<typeof leadViewForm>;

const path = '/api/admin/views';

const viewsApi = api.enhanceEndpoints({ addTagTypes: ['LeadView'] }).injectEndpoints({
  endpoints: (build) => ({
    /** The user's views in their order. */
    leadViews: build.query<readonly LeadView[], void>({
      query: () => ({ url: path }),
      providesTags: ['LeadView'],
    }),
    saveLeadView: build.mutation<LeadView, { readonly view: NewLeadView; readonly idempotencyKey: string }>({
      query: ({ view, idempotencyKey }) => ({ method: 'POST', url: path, body: view, idempotencyKey }),
      invalidatesTags: ['LeadView'],
    }),
    /** Shows the new order before the server has stored it. */
    orderLeadViews: build.mutation<readonly LeadView[], readonly string[]>({
      query: (ids) => ({ method: 'PATCH', url: path, body: { ids } }),
      onQueryStarted: async (ids, { dispatch, queryFulfilled }) => {
        const change = dispatch(
          viewsApi.util.updateQueryData('leadViews', undefined, (views) =>
            [...views].sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)),
          ),
        );
        try {
          await queryFulfilled;
        } catch {
          // The caller reports the failure.
          change.undo();
        }
      },
    }),
    deleteLeadView: build.mutation<null, string>({
      query: (id) => ({ method: 'DELETE', url: `${path}/${encodeURIComponent(id)}` }),
      invalidatesTags: ['LeadView'],
    }),
  }),
});

export const { useLeadViewsQuery, useSaveLeadViewMutation, useOrderLeadViewsMutation, useDeleteLeadViewMutation } =
  viewsApi;
