import type { auditEntryResponse } from '@dune-tide/domain/responses/audit-entry';
import type { Json } from '@dune-tide/domain/responses/schema';
import { api } from '../../api-client/base-api.ts';
import { byNextPage, type Page, pageOf } from '../../api-client/pagination.ts';

/** An entry of the audit log. */
export type AuditEntry = Json<typeof auditEntryResponse>;

/** The part of the log to show; an empty text allows all. */
export interface AuditSearch {
  /** The id of an account. */
  readonly person: string;
  readonly action: string;
}

const searchOf = ({ person, action }: AuditSearch): string => {
  const search = new URLSearchParams({ ...(person !== '' && { person }), ...(action !== '' && { action }) }).toString();
  return search === '' ? '' : `?${search}`;
};

const auditLogApi = api.enhanceEndpoints({ addTagTypes: ['AuditLog'] }).injectEndpoints({
  endpoints: (build) => ({
    auditLog: build.infiniteQuery<Page<AuditEntry>, AuditSearch, string>({
      query: ({ queryArg, pageParam }) => ({
        url: `/api/admin/audit-log${pageParam === '' ? searchOf(queryArg) : pageParam}`,
      }),
      transformResponse: pageOf<AuditEntry>,
      infiniteQueryOptions: byNextPage,
      providesTags: ['AuditLog'],
    }),
  }),
});

export const { useAuditLogInfiniteQuery } = auditLogApi;

/** Returns the action that loads the shown part of the log again. */
export const reloadAuditLog = () => auditLogApi.util.invalidateTags(['AuditLog']);
