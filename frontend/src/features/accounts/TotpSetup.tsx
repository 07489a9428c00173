import { codeForm, type Code } from '@dune-tide/domain/forms/second-factor';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import validate from 'virtual:validator/second-factor-code';
import { codeHint } from '../../staff-ui/code-hint.ts';
import { CodeField } from '../../staff-ui/CodeField.tsx';
import { Form } from '../../form/Form.tsx';
import { SubmitAlert } from '../../form/SubmitAlert.tsx';
import { SubmitButton } from '../../form/SubmitButton.tsx';
import { QrCode } from './QrCode.tsx';
import type { RecoveryCodeList, TotpSecret } from './second-factor-api.ts';

interface TotpSetupProps {
  readonly setup: TotpSecret;
  /** Confirms the app with its first code; rejects with a request's failure. */
  readonly confirm: (code: Code) => Promise<RecoveryCodeList>;
  readonly onConfirmed: (codes: readonly string[]) => void;
}

/** Shows the secret of an authenticator app as a QR code and as text, and asks for the app's first code. */
export function TotpSetup({ setup: { secret, uri }, confirm, onConfirmed }: TotpSetupProps) {
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2.5, alignItems: 'start', marginBottom: 2.5 }}>
        <QrCode text={uri} label="QR code for your authenticator app" />
        <Box sx={{ flex: '1 1 11rem', minWidth: 0 }}>
          <Typography variant="body2">
            Scan the code with an authenticator app, for example Aegis, Google Authenticator or 1Password. If you cannot
            scan it, enter this key:
          </Typography>
          <Typography
            component="p"
            sx={{ marginTop: 1, fontFamily: 'monospace', fontSize: '0.9375rem', overflowWrap: 'anywhere' }}
          >
            {secret.replaceAll(/.{4}(?=.)/g, '$& ')}
          </Typography>
        </Box>
      </Box>
      <Form<Code, RecoveryCodeList>
        label="Authenticator app"
        schema={codeForm}
        validate={validate}
        keepsDraft={false}
        send={confirm}
        onSent={({ codes }) => onConfirmed(codes)}
        hint={codeHint}
      >
        <CodeField label="Code that the app shows" hasFirstFocus />
        <Box sx={{ marginTop: 1 }}>
          <SubmitButton label="Turn on" pendingLabel="Checking..." />
        </Box>
        <SubmitAlert />
      </Form>
    </>
  );
}
