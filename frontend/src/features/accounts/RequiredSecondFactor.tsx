import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { isRequestFailure } from '../../api-client/request.ts';
import { passkeyObstacle } from '../../staff-ui/passkeys/browser-passkeys.ts';
import { toasts } from '../../toasts/toasts.ts';
import { PasskeySetup } from './PasskeySetup.tsx';
import { PasswordPrompt } from './PasswordPrompt.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { type TotpSecret, useBeginTotpMutation, useConfirmTotpMutation } from './second-factor-api.ts';
import { TotpSetup } from './TotpSetup.tsx';

/** The factor that the member sets up. */
type Setup = { readonly kind: 'passkey' } | { readonly kind: 'app'; readonly secret: TotpSecret };

/** The step of the sign-in page that sets up a required second factor. */
export function RequiredSecondFactor({ onDone }: { readonly onDone: () => void }) {
  const [begin, { isLoading }] = useBeginTotpMutation();
  const [confirm] = useConfirmTotpMutation();
  const [setup, setSetup] = useState<Setup>();
  const [codes, setCodes] = useState<readonly string[]>();
  const obstacle = passkeyObstacle();
  const startApp = async () => {
    try {
      setSetup({ kind: 'app', secret: await begin().unwrap() });
    } catch (error) {
      if (!isRequestFailure(error)) throw error;
      toasts.error('Could not set up the authenticator app. Please try again.');
    }
  };
  // Another tab may have set one up in the meantime, which has the codes.
  const finish = (all: readonly string[]) => (all.length > 0 ? setCodes(all) : onDone());
  return (
    <>
      {codes && <RecoveryCodes codes={codes} doneLabel="I have saved them" onDone={onDone} />}
      {!codes && setup?.kind === 'passkey' && <PasskeySetup onAdded={finish} isFullWidth />}
      {!codes && setup?.kind === 'app' && (
        <TotpSetup setup={setup.secret} confirm={(code) => confirm(code).unwrap()} onConfirmed={finish} />
      )}
      {!codes && setup?.kind !== 'app' && (
        <Box sx={{ display: 'grid', gap: 1.25, marginTop: setup ? 1.25 : 0 }}>
          {!setup && obstacle === undefined && (
            <Button variant="contained" fullWidth onClick={() => setSetup({ kind: 'passkey' })}>
              Add a passkey
            </Button>
          )}
          {!setup && obstacle !== undefined && (
            <Typography variant="body2" sx={{ color: 'text.secondary' }}>
              {obstacle}
            </Typography>
          )}
          <Button variant="outlined" fullWidth disabled={isLoading} onClick={() => void startApp()}>
            Set up an authenticator app
          </Button>
        </Box>
      )}
      <PasswordPrompt />
    </>
  );
}
