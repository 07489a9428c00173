import type { StaffLogin } from '@dune-tide/domain/forms/staff-login';
import { api } from '../../lib/api.ts';

/** Who is signed in. */
export interface SignedIn {
  readonly id: string;
  readonly username: string;
  readonly name: string;
}

export const authApi = api.injectEndpoints({
  endpoints: (build) => ({
    session: build.query<SignedIn, void>({ query: () => ({ key: ['/api', 'admin', 'session'] }) }),
    signIn: build.mutation<SignedIn, StaffLogin>({
      query: (body) => ({ method: 'POST', url: '/api/admin/login', body }),
    }),
  }),
});

export const { useSessionQuery, useSignInMutation } = authApi;
