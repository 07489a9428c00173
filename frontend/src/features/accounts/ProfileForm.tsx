import { ownAccountForm, type OwnAccountChange } from '@dune-tide/domain/forms/account';
import Box from '@mui/material/Box';
import validate from 'virtual:validator/own-account-change';
import { failureHint } from '../../staff-ui/failure-text.ts';
import { Form } from '../../form/Form.tsx';
import { SubmitAlert } from '../../form/SubmitAlert.tsx';
import { SubmitButton } from '../../form/SubmitButton.tsx';
import { TextField } from '../../form/TextField.tsx';
import { toasts } from '../../toasts/toasts.ts';
import { emailText } from './email-text.ts';
import { type OwnAccount, useChangeOwnAccountMutation } from './own-account-api.ts';

/** Changes the name and the email address of the signed-in account. */
export function ProfileForm({ account }: { readonly account: OwnAccount }) {
  const [change] = useChangeOwnAccountMutation();
  const shown = account.pendingEmail ?? account.email;
  return (
    <Form<OwnAccountChange, OwnAccount>
      label="Profile"
      schema={ownAccountForm}
      validate={validate}
      keepsDraft={false}
      initialValues={{ name: account.name, email: shown ?? '' }}
      // An address that waits is left out, because each request sends another email.
      send={({ name, email }) => change({ name, ...((email || null) !== shown && { email: email || null }) }).unwrap()}
      onSent={(changed) => toasts.success(emailText(changed), 'Profile Saved')}
      hint={failureHint('Could not save your profile. Please try again.')}
    >
      <Box sx={{ display: 'grid', gap: 1, marginBottom: 1.5 }}>
        <TextField name="name" autoComplete="name" />
        <TextField
          name="email"
          type="email"
          inputMode="email"
          autoComplete="email"
          {...(account.pendingEmail !== null && {
            hint: `Not confirmed yet: follow the link in our email to ${account.pendingEmail}.${account.email === null ? '' : ` Until then, emails go to ${account.email}.`}`,
          })}
        />
      </Box>
      <SubmitButton label="Save profile" pendingLabel="Saving..." />
      <SubmitAlert />
    </Form>
  );
}
