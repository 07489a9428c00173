import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { RequestFailure } from '../../api-client/request.ts';
import { failureTextOf } from '../../staff-ui/failure-text.ts';
import { FormAlert } from '../../form/FormAlert.tsx';
import { askForPasskey } from '../../staff-ui/passkeys/browser-passkeys.ts';
import { usePasskeyPrompt } from '../../staff-ui/passkeys/use-passkey-prompt.ts';
import { type SignedIn, useAskForPasskeyMutation, useEnterPasskeyMutation } from './auth-api.ts';
import { useCompleteSignIn } from './use-complete-sign-in.ts';

interface PasskeyStepProps {
  readonly onSignedIn: (signedIn: SignedIn) => void;
  /** Called if the password must be entered again. */
  readonly onExpired: () => void;
}

/** The second step of a sign-in with a passkey. */
export function PasskeyStep({ onSignedIn, onExpired }: PasskeyStepProps) {
  const [ask] = useAskForPasskeyMutation();
  const [enter] = useEnterPasskeyMutation();
  const { store, greet } = useCompleteSignIn();
  const textOf = ({ status }: RequestFailure): string => {
    if (status === 401) onExpired();
    if (status === 409 || status === 422) return 'The passkey was not accepted. Try again, or use a code.';
    return 'Could not check the passkey. Please try again.';
  };
  const { isPending, failure, start } = usePasskeyPrompt(
    async () => {
      const signature = await askForPasskey(await ask().unwrap());
      const signedIn = await enter(signature).unwrap();
      await store(signedIn);
      greet(signedIn);
      onSignedIn(signedIn);
    },
    (error) => failureTextOf(error, textOf),
  );

  return (
    <>
      <Typography variant="body2" sx={{ marginBottom: 2, color: 'text.secondary' }}>
        Your browser asks for your fingerprint, face, screen lock or security key.
      </Typography>
      <FormAlert text={failure} />
      {/* It keeps the focus while the prompt is open, so it is not disabled. */}
      <Button
        variant="contained"
        fullWidth
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the first control of a step that has just appeared
        autoFocus
        aria-disabled={isPending}
        onClick={() => {
          if (!isPending) start();
        }}
      >
        {passkeyLabel(isPending, failure)}
      </Button>
    </>
  );
}

function passkeyLabel(isPending: boolean, failure: string | undefined): string {
  if (isPending) return 'Waiting for your passkey...';
  return failure === undefined ? 'Use your passkey' : 'Try again';
}
