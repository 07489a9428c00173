import type { Code, PasskeySignature } from '@dune-tide/domain/forms/second-factor';
import type { SignIn } from '@dune-tide/domain/forms/sign-in';
import type { Json } from '@dune-tide/domain/responses/schema';
import type { pendingSignInResponse, sessionResponse } from '@dune-tide/domain/responses/session';
import { api } from '../../api-client/base-api.ts';
import type { PasskeyRequest } from '../../staff-ui/passkeys/browser-passkeys.ts';
import { bindTabToAccount } from './bind-tab-to-account.ts';
import { rememberSession } from './known-session.ts';

/** The account that is signed in. */
export type SignedIn = Json<typeof sessionResponse>;

/** A sign-in whose password is right and that waits for the second factor. */
export type PendingSignIn = Json<typeof pendingSignInResponse>;

/** Runs before any component receives the response. */
function onSignedIn(signedIn: SignedIn): SignedIn {
  bindTabToAccount(signedIn.id);
  rememberSession();
  return signedIn;
}

export const authApi = api.injectEndpoints({
  endpoints: (build) => ({
    session: build.query<SignedIn, void>({
      query: () => ({ url: '/api/admin/session' }),
      transformResponse: onSignedIn,
      providesTags: ['Session'],
    }),
    signIn: build.mutation<SignedIn | PendingSignIn, SignIn>({
      query: (body) => ({ method: 'POST', url: '/api/admin/login', body }),
      transformResponse: (response: SignedIn | PendingSignIn) => ('id' in response ? onSignedIn(response) : response),
    }),
    enterCode: build.mutation<SignedIn, Code>({
      query: (body) => ({ method: 'POST', url: '/api/admin/login/code', body }),
      transformResponse: onSignedIn,
    }),
    askForPasskey: build.mutation<PasskeyRequest, void>({
      query: () => ({ method: 'POST', url: '/api/admin/login/passkey/options' }),
    }),
    enterPasskey: build.mutation<SignedIn, PasskeySignature>({
      query: (body) => ({ method: 'POST', url: '/api/admin/login/passkey', body }),
      transformResponse: onSignedIn,
    }),
  }),
});

export const {
  useSessionQuery,
  useSignInMutation,
  useEnterCodeMutation,
  useAskForPasskeyMutation,
  useEnterPasskeyMutation,
} = authApi;
