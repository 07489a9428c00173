import Button from '@mui/material/Button';
import { useState } from 'react';
import { isRequestFailure } from '../../api-client/request.ts';
import { toasts } from '../../toasts/toasts.ts';
import { usePasswordPrompt } from './PasswordPrompt.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { type TotpSecret, useBeginTotpMutation, useConfirmTotpMutation } from './second-factor-api.ts';
import { TotpSetup } from './TotpSetup.tsx';

/** The step of the sign-in page that sets up a required second factor. */
export function RequiredSecondFactor({ onDone }: { readonly onDone: () => void }) {
  const [begin, { isLoading }] = useBeginTotpMutation();
  const [confirm] = useConfirmTotpMutation();
  const { withPassword, prompt } = usePasswordPrompt();
  const [setup, setSetup] = useState<TotpSecret>();
  const [codes, setCodes] = useState<readonly string[]>();
  const start = async () => {
    try {
      setSetup(await withPassword(() => begin().unwrap()));
    } catch (error) {
      if (!isRequestFailure(error)) throw error;
      toasts.error('Could not set up the second factor. Please try again.');
    }
  };
  return (
    <>
      {codes && <RecoveryCodes codes={codes} doneLabel="I have saved them" onDone={onDone} />}
      {!codes && setup && (
        <TotpSetup
          setup={setup}
          confirm={(code) => withPassword(() => confirm(code).unwrap())}
          onConfirmed={setCodes}
        />
      )}
      {!setup && (
        <Button variant="contained" fullWidth disabled={isLoading} onClick={() => void start()}>
          Set up an authenticator app
        </Button>
      )}
      {prompt}
    </>
  );
}
