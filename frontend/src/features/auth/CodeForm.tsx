import { codeForm, type Code } from '@dune-tide/domain/forms/second-factor';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useRef, useState } from 'react';
import { useDispatch } from 'react-redux';
import validate from 'virtual:validator/second-factor-code';
import { codeHint } from '../../form/code-hint.ts';
import { CodeField } from '../../form/CodeField.tsx';
import { Form } from '../../form/Form.tsx';
import { SubmitAlert } from '../../form/SubmitAlert.tsx';
import { SubmitButton } from '../../form/SubmitButton.tsx';
import type { AppDispatch } from '../../store/store.ts';
import { toasts } from '../../toasts/toasts.ts';
import { authApi, type SignedIn, useEnterCodeMutation } from './auth-api.ts';
import { tellOtherTabs } from './other-tabs.ts';

interface CodeFormProps {
  readonly onSignedIn: (signedIn: SignedIn) => void;
  /** Called if the password must be entered again. */
  readonly onExpired: () => void;
}

/** The second step of a sign-in: a code of the authenticator app, or a recovery code. */
export function CodeForm({ onSignedIn, onExpired }: CodeFormProps) {
  const dispatch = useDispatch<AppDispatch>();
  const [enterCode] = useEnterCodeMutation();
  const [isRecoveryCode, setIsRecoveryCode] = useState(false);
  const signedInAs = useRef<SignedIn>(undefined);

  const send = async (code: Code) => {
    const signedIn = await enterCode(code).unwrap();
    await dispatch(authApi.util.upsertQueryData('session', undefined, signedIn));
    signedInAs.current = signedIn;
    tellOtherTabs();
  };

  return (
    <Form<Code>
      key={String(isRecoveryCode)}
      label="Second factor"
      schema={codeForm}
      validate={validate}
      keepsDraft={false}
      send={send}
      onSent={() => {
        const signedIn = signedInAs.current;
        if (!signedIn) return;
        if (signedIn.needs === null) toasts.success('Welcome to the admin dashboard!', 'Login Successful');
        onSignedIn(signedIn);
      }}
      onFailed={({ status }) => {
        if (status === 401) onExpired();
      }}
      hint={codeHint}
    >
      <Box sx={{ marginBottom: 1.5 }}>
        <CodeField
          label={isRecoveryCode ? 'Recovery code' : 'Code of your authenticator app'}
          isRecoveryCode={isRecoveryCode}
          hasFirstFocus
        />
      </Box>
      <SubmitButton label="Continue" pendingLabel="Checking..." fullWidth />
      <SubmitAlert />
      <Button fullWidth onClick={() => setIsRecoveryCode(!isRecoveryCode)} sx={{ marginTop: 1 }}>
        {isRecoveryCode ? 'Use the authenticator app' : 'Use a recovery code'}
      </Button>
    </Form>
  );
}
