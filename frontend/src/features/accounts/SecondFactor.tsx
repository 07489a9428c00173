import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { isRequestFailure } from '../../api-client/request.ts';
import { AdminDialog } from '../../staff-ui/dialogs/AdminDialog.tsx';
import { ConfirmDialog } from '../../staff-ui/dialogs/ConfirmDialog.tsx';
import { failureTextOf } from '../../staff-ui/dialogs/failure-text.ts';
import { StatusChip } from '../../staff-ui/lists/StatusChip.tsx';
import { toasts } from '../../toasts/toasts.ts';
import type { OwnAccount } from './own-account-api.ts';
import { usePasswordPrompt } from './PasswordPrompt.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import {
  type TotpSecret,
  useBeginTotpMutation,
  useConfirmTotpMutation,
  useRemoveTotpMutation,
  useReplaceRecoveryCodesMutation,
} from './second-factor-api.ts';
import { TotpSetup } from './TotpSetup.tsx';

/** The second factor of the signed-in account: turns it on and off, and replaces the recovery codes. */
export function SecondFactor({ account: { hasTotp, recoveryCodesLeft } }: { readonly account: OwnAccount }) {
  const [begin, { isLoading: isBeginning }] = useBeginTotpMutation();
  const [confirm] = useConfirmTotpMutation();
  const [replaceCodes, { isLoading: isReplacing }] = useReplaceRecoveryCodesMutation();
  const [remove] = useRemoveTotpMutation();
  const { withPassword, prompt } = usePasswordPrompt();
  const [setup, setSetup] = useState<TotpSecret>();
  const [codes, setCodes] = useState<readonly string[]>();
  const [isOpen, setIsOpen] = useState(false);
  const [isRemoving, setIsRemoving] = useState(false);

  const open = async (load: () => Promise<void>, failureText: string) => {
    try {
      await withPassword(load);
      setIsOpen(true);
    } catch (error) {
      if (!isRequestFailure(error)) throw error;
      toasts.error(failureTextOf(error, failureText));
    }
  };
  const start = () =>
    open(async () => {
      setCodes(undefined);
      setSetup(await begin().unwrap());
    }, 'Could not set up the second factor. Please try again.');
  const replace = () =>
    open(async () => setCodes((await replaceCodes().unwrap()).codes), 'Could not replace the codes. Please try again.');

  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '8px 16px', marginBottom: 1.5 }}>
        <Typography sx={{ fontWeight: 600 }}>Authenticator app</Typography>
        <StatusChip tone={hasTotp ? 'cool' : 'calm'} label={hasTotp ? 'On' : 'Off'} />
      </Box>
      {hasTotp ? (
        <>
          <Typography variant="body2" sx={{ marginBottom: 2, color: 'text.secondary' }}>
            {recoveryCodesLeft === 1 ? '1 recovery code is' : `${recoveryCodesLeft} recovery codes are`} left.
          </Typography>
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.25 }}>
            <Button variant="outlined" disabled={isReplacing} onClick={() => void replace()}>
              New recovery codes
            </Button>
            <Button onClick={() => setIsRemoving(true)}>Turn off</Button>
          </Box>
        </>
      ) : (
        <Button variant="contained" disabled={isBeginning} onClick={() => void start()}>
          Set up
        </Button>
      )}
      <AdminDialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title={codes ? 'Your recovery codes' : 'Set up an authenticator app'}
      >
        {codes ? (
          <RecoveryCodes codes={codes} doneLabel="I have saved them" onDone={() => setIsOpen(false)} />
        ) : (
          setup && (
            <TotpSetup
              setup={setup}
              confirm={(code) => withPassword(() => confirm(code).unwrap())}
              onConfirmed={(all) => {
                setCodes(all);
                toasts.success('Sign-ins now ask for a code.', 'Second Factor On');
              }}
            />
          )
        )}
      </AdminDialog>
      <ConfirmDialog
        open={isRemoving}
        title="Turn off the second factor?"
        text="Your password alone will be enough to sign in. Your recovery codes stop working."
        confirmLabel="Turn off"
        pendingLabel="Turning off..."
        failureText="Could not turn off the second factor. Please try again."
        onConfirm={async () => {
          await withPassword(() => remove().unwrap());
          toasts.success('Your password is enough to sign in.', 'Second Factor Off');
        }}
        onClose={() => setIsRemoving(false)}
      />
      {prompt}
    </>
  );
}
