import { passkeyNameForm, type PasskeyName } from '@dune-tide/domain/forms/second-factor';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useEffect, useRef } from 'react';
import validate from 'virtual:validator/passkey-name';
import type { RequestFailure } from '../../api-client/request.ts';
import { Form } from '../../form/Form.tsx';
import { FormAlert } from '../../form/FormAlert.tsx';
import { SubmitButton } from '../../form/SubmitButton.tsx';
import { TextField } from '../../form/TextField.tsx';
import { failureTextOf } from '../../staff-ui/failure-text.ts';
import { createPasskey } from '../../staff-ui/passkeys/browser-passkeys.ts';
import { usePasskeyPrompt } from '../../staff-ui/passkeys/use-passkey-prompt.ts';
import { useAddPasskeyMutation, useBeginPasskeyMutation } from './second-factor-api.ts';

interface PasskeySetupProps {
  /** Receives the recovery codes; none if the account had a second factor before. */
  readonly onAdded: (codes: readonly string[], name: string) => void;
  readonly isFullWidth?: boolean;
}

/** Asks for the name of a passkey, then shows the browser's prompt that creates it. */
export function PasskeySetup({ onAdded, isFullWidth = false }: PasskeySetupProps) {
  const [begin] = useBeginPasskeyMutation();
  const [add] = useAddPasskeyMutation();
  const name = useRef<string>(undefined);
  const waiting = useRef<HTMLParagraphElement>(null);
  const retry = useRef<HTMLButtonElement>(null);

  const { isPending, failure, start } = usePasskeyPrompt(async () => {
    const options = await begin().unwrap();
    const created = await createPasskey(options);
    const passkey = { ...created, name: name.current ?? '' };
    const { codes } = await add(passkey).unwrap();
    onAdded(codes, passkey.name);
  }, addingFailed);

  // The control that had the focus is gone.
  useEffect(() => {
    if (isPending) waiting.current?.focus();
    else if (failure !== undefined) retry.current?.focus();
  }, [isPending, failure]);

  if (isPending) {
    return (
      <Typography ref={waiting} tabIndex={-1} sx={{ outline: 0 }}>
        Follow the steps that your browser shows.
      </Typography>
    );
  }
  if (failure !== undefined) {
    return (
      <>
        <FormAlert text={failure} />
        <Button ref={retry} variant="contained" fullWidth={isFullWidth} onClick={start}>
          Try again
        </Button>
      </>
    );
  }
  return (
    <Form<PasskeyName>
      label="Add a passkey"
      schema={passkeyNameForm}
      validate={validate}
      keepsDraft={false}
      send={async (values) => {
        ({ name: name.current } = values);
      }}
      onSent={start}
    >
      <TextField
        name="name"
        label="Name of the passkey"
        hint="The device or key that keeps it, e.g. Work laptop."
        hasFirstFocus
      />
      <Box sx={{ marginTop: 1 }}>
        <SubmitButton label="Continue" pendingLabel="Continue" fullWidth={isFullWidth} />
      </Box>
    </Form>
  );
}

function addingFailed(failure: RequestFailure): string {
  return failureTextOf(failure, ({ status }) => {
    if (status === 409) return 'The passkey was added before, or your account has too many.';
    if (status === 422) return 'The passkey was not accepted. Please try again.';
    return 'Could not add the passkey. Please try again.';
  });
}
