import { codeForm, type Code } from '@dune-tide/domain/forms/second-factor';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import validate from 'virtual:validator/second-factor-code';
import { codeHint } from '../../staff-ui/code-hint.ts';
import { CodeField } from '../../staff-ui/CodeField.tsx';
import { Form } from '../../form/Form.tsx';
import { SubmitAlert } from '../../form/SubmitAlert.tsx';
import { SubmitButton } from '../../form/SubmitButton.tsx';
import { type SignedIn, useEnterCodeMutation } from './auth-api.ts';
import { useCompleteSignIn } from './use-complete-sign-in.ts';

interface CodeFormProps {
  /** Whether the account has an authenticator app; otherwise only recovery codes are accepted. */
  readonly hasApp: boolean;
  readonly onSignedIn: (signedIn: SignedIn) => void;
  /** Called if the password must be entered again. */
  readonly onExpired: () => void;
}

/** The second step of a sign-in: a code of the authenticator app, or a recovery code. */
export function CodeForm({ hasApp, onSignedIn, onExpired }: CodeFormProps) {
  const [enterCode] = useEnterCodeMutation();
  const [isRecoveryCode, setIsRecoveryCode] = useState(!hasApp);
  const { store, greet } = useCompleteSignIn();

  const send = async (code: Code) => {
    const signedIn = await enterCode(code).unwrap();
    await store(signedIn);
    return signedIn;
  };

  return (
    <Form<Code, SignedIn>
      key={String(isRecoveryCode)}
      label="Second factor"
      schema={codeForm}
      validate={validate}
      keepsDraft={false}
      send={send}
      onSent={(signedIn) => {
        greet(signedIn);
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
      {hasApp && (
        <Button fullWidth onClick={() => setIsRecoveryCode(!isRecoveryCode)} sx={{ marginTop: 1 }}>
          {isRecoveryCode ? 'Use the authenticator app' : 'Use a recovery code'}
        </Button>
      )}
    </Form>
  );
}
