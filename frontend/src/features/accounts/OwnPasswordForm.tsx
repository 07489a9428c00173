import { ownPasswordForm, type OwnPassword } from '@dune-tide/domain/forms/account';
import Box from '@mui/material/Box';
import validate from 'virtual:validator/own-password';
import { failureHint } from '../../staff-ui/failure-text.ts';
import { Form } from '../../form/Form.tsx';
import { SubmitAlert } from '../../form/SubmitAlert.tsx';
import { SubmitButton } from '../../form/SubmitButton.tsx';
import { TextField } from '../../form/TextField.tsx';
import { NewPasswordField } from './NewPasswordField.tsx';
import { useChangeOwnPasswordMutation } from './own-account-api.ts';

interface OwnPasswordFormProps {
  readonly username: string;
  readonly isFullWidth?: boolean;
  readonly onChanged: () => void;
}

/** Changes the password of the signed-in account, which needs the current one. */
export function OwnPasswordForm({ username, isFullWidth = false, onChanged }: OwnPasswordFormProps) {
  const [changePassword] = useChangeOwnPasswordMutation();
  return (
    <Form<OwnPassword>
      label="Change password"
      schema={ownPasswordForm}
      validate={validate}
      keepsDraft={false}
      send={(passwords) => changePassword(passwords).unwrap()}
      onSent={onChanged}
      hint={failureHint('Could not change the password. Please try again.')}
    >
      {/* Tells a password manager whose password it is. */}
      <input type="text" autoComplete="username" value={username} readOnly hidden />
      <Box sx={{ display: 'grid', gap: 1, marginBottom: 1.5 }}>
        <TextField name="currentPassword" type="password" autoComplete="current-password" />
        <NewPasswordField label="New password" />
      </Box>
      <SubmitButton label="Change password" pendingLabel="Changing..." fullWidth={isFullWidth} />
      <SubmitAlert />
    </Form>
  );
}
