import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import { isRequestFailure } from '../../api-client/request.ts';
import { AdminDialog } from '../../staff-ui/dialogs/AdminDialog.tsx';
import { ConfirmDialog } from '../../staff-ui/dialogs/ConfirmDialog.tsx';
import { failureTextOf } from '../../staff-ui/failure-text.ts';
import { StatusChip } from '../../staff-ui/lists/StatusChip.tsx';
import { toasts } from '../../toasts/toasts.ts';
import type { OwnAccount } from './own-account-api.ts';
import { Passkeys } from './Passkeys.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import {
  type TotpSecret,
  useBeginTotpMutation,
  useConfirmTotpMutation,
  useRemoveTotpMutation,
  useReplaceRecoveryCodesMutation,
} from './second-factor-api.ts';
import { TotpSetup } from './TotpSetup.tsx';

/** The second factors of the signed-in account: adds and removes them, and replaces the recovery codes. */
export function SecondFactor({ account }: { readonly account: OwnAccount }) {
  const { hasTotp, passkeys, recoveryCodesLeft } = account;
  const [begin, { isLoading: isBeginning }] = useBeginTotpMutation();
  const [confirm] = useConfirmTotpMutation();
  const [replaceCodes, { isLoading: isReplacing }] = useReplaceRecoveryCodesMutation();
  const [remove] = useRemoveTotpMutation();
  const [setup, setSetup] = useState<TotpSecret>();
  const [codes, setCodes] = useState<readonly string[]>();
  const [isOpen, setIsOpen] = useState(false);
  const [isRemoving, setIsRemoving] = useState(false);

  const open = async (load: () => Promise<void>, failureText: string) => {
    try {
      await load();
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
    }, 'Could not set up the authenticator app. Please try again.');
  const replace = () =>
    open(async () => setCodes((await replaceCodes().unwrap()).codes), 'Could not replace the codes. Please try again.');

  return (
    <>
      <Passkeys account={account} />
      <Part>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '8px 16px', marginBottom: 1.5 }}>
          <Typography sx={{ fontWeight: 600 }}>Authenticator app</Typography>
          <StatusChip tone={hasTotp ? 'cool' : 'calm'} label={hasTotp ? 'On' : 'Off'} />
        </Box>
        {hasTotp ? (
          <Button variant="outlined" onClick={() => setIsRemoving(true)}>
            Turn off
          </Button>
        ) : (
          <Button variant="outlined" disabled={isBeginning} onClick={() => void start()}>
            Set up
          </Button>
        )}
      </Part>
      {(hasTotp || passkeys.length > 0) && (
        <Part>
          <Typography sx={{ fontWeight: 600, marginBottom: 0.75 }}>Recovery codes</Typography>
          <Typography variant="body2" sx={{ marginBottom: 2, color: 'text.secondary' }}>
            {recoveryCodesLeft === 1 ? '1 recovery code is' : `${recoveryCodesLeft} recovery codes are`} left.
          </Typography>
          <Button variant="outlined" disabled={isReplacing} onClick={() => void replace()}>
            New recovery codes
          </Button>
        </Part>
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
              confirm={(code) => confirm(code).unwrap()}
              onConfirmed={(all) => {
                if (all.length > 0) setCodes(all);
                else setIsOpen(false);
                toasts.success('Sign-ins now accept the codes of the app.', 'Authenticator App On');
              }}
            />
          )
        )}
      </AdminDialog>
      <ConfirmDialog
        open={isRemoving}
        title="Turn off the authenticator app?"
        text={
          passkeys.length > 0
            ? 'Sign-ins no longer accept its codes. Your passkeys and recovery codes stay.'
            : 'Your password alone will be enough to sign in. Your recovery codes stop working.'
        }
        confirmLabel="Turn off"
        pendingLabel="Turning off..."
        failureText="Could not turn off the authenticator app. Please try again."
        onConfirm={async () => {
          await remove().unwrap();
          toasts.success('Sign-ins no longer accept its codes.', 'Authenticator App Off');
        }}
        onClose={() => setIsRemoving(false)}
      />
    </>
  );
}

/** A further part of the section, below a line. */
function Part({ children }: { readonly children: ReactNode }) {
  return <Box sx={{ marginTop: 3, paddingTop: 2.5, borderTop: 1, borderColor: 'divider' }}>{children}</Box>;
}
