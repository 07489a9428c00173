import type { erasureForm } from '@dune-tide/domain/forms/erasure';
import type { FormValues } from '@dune-tide/domain/forms/form-schema';
import type { erasureResponse, personalDataResponse } from '@dune-tide/domain/responses/personal-data';
import type { Json } from '@dune-tide/domain/responses/schema';
import { api } from '../../api-client/base-api.ts';

/** How much is held about an address. */
export type PersonalData = Json<typeof personalDataResponse>;
/** How much was erased. */
export type Erasure = Json<typeof erasureResponse>;
export type Person = FormValues<typeof erasureForm>;

const path = '/api/admin/people';

const peopleApi = api
  .enhanceEndpoints({
    addTagTypes: ['Lead', 'LeadHistory', 'HeldAsSpam', 'FollowUp', 'FollowUpCounts', 'OptOut', 'LeadView'],
  })
  .injectEndpoints({
    endpoints: (build) => ({
      personalData: build.query<PersonalData, string>({
        query: (email) => ({ url: `/api/admin/people?email=${encodeURIComponent(email)}` }),
      }),
      erasePerson: build.mutation<Erasure, Person>({
        query: (body) => ({ method: 'POST', url: `${path}/erase`, body }),
        invalidatesTags: ['Lead', 'LeadHistory', 'HeldAsSpam', 'FollowUp', 'FollowUpCounts', 'OptOut', 'LeadView'],
      }),
    }),
  });

/** Returns the address of the file with everything that is held about a person. */
export const exportUrl = (email: string): string => `${path}/export?email=${encodeURIComponent(email)}`;

export const { usePersonalDataQuery, useErasePersonMutation } = peopleApi;
