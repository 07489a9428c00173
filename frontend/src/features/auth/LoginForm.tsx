import { type SignIn, signInForm } from '@dune-tide/domain/forms/sign-in';
import type { SecondFactorKind } from '@dune-tide/domain/responses/session';
import Box from '@mui/material/Box';
import { useEffect } from 'react';
import { useDispatch } from 'react-redux';
import validate from 'virtual:validator/sign-in';
import { FormAlert } from '../../form/FormAlert.tsx';
import { tabStorage } from '../../form/draft-storage.ts';
import { Form } from '../../form/Form.tsx';
import { SubmitAlert } from '../../form/SubmitAlert.tsx';
import { SubmitButton } from '../../form/SubmitButton.tsx';
import { TextField } from '../../form/TextField.tsx';
import { api } from '../../api-client/base-api.ts';
import type { AppDispatch } from '../../store/store.ts';
import { useFailureToast } from '../../toasts/toasts.ts';
import { type PendingSignIn, type SignedIn, useSignInMutation } from './auth-api.ts';
import { sessionEnded } from './end-session.ts';
import { loginHint } from './login-hint.ts';
import { useCompleteSignIn } from './use-complete-sign-in.ts';

const cookiesNeeded = 'Your browser blocks cookies for this site. To sign in, allow cookies, then reload the page.';

/**
 * Returns whether the browser's settings block cookies. A browser that blocks cookies also blocks the tab's storage.
 */
const areCookiesBlocked = (): boolean => !navigator.cookieEnabled || tabStorage() === undefined;

interface LoginFormProps {
  readonly onSignedIn: (signedIn: SignedIn) => void;
  /** Called if the password is right and the account has a second factor. */
  readonly onSecondFactorNeeded: (kinds: readonly SecondFactorKind[]) => void;
}

/** The sign-in form of the staff area (docs/PRODUCT.md, "Sign-in page"). */
export function LoginForm({ onSignedIn, onSecondFactorNeeded }: LoginFormProps) {
  const { store, greet } = useCompleteSignIn();
  const dispatch = useDispatch<AppDispatch>();
  const [signIn] = useSignInMutation();
  const failureToast = useFailureToast();

  // The cached data of an earlier session may belong to another account.
  useEffect(() => void dispatch(api.util.resetApiState()), [dispatch]);

  const send = async (login: SignIn) => {
    failureToast.takeAway();
    await sessionEnded();
    const response = await signIn(login).unwrap();
    if ('id' in response) await store(response);
    return response;
  };

  return (
    <Form<SignIn, SignedIn | PendingSignIn>
      label="Sign in"
      schema={signInForm}
      validate={validate}
      keepsDraft={false}
      send={send}
      onSent={(response) => {
        if ('id' in response) {
          greet(response);
          onSignedIn(response);
        } else onSecondFactorNeeded(response.secondFactors);
      }}
      onFailed={() => failureToast.show('Login failed', 'Login Failed')}
      hint={loginHint}
    >
      {areCookiesBlocked() && <FormAlert text={cookiesNeeded} />}
      <Box sx={{ display: 'grid', gap: 1, marginBottom: 1.5 }}>
        <TextField name="username" autoComplete="username" />
        <TextField name="password" type="password" autoComplete="current-password" />
      </Box>
      <SubmitButton label="Sign in" pendingLabel="Signing in..." fullWidth />
      <SubmitAlert />
    </Form>
  );
}
