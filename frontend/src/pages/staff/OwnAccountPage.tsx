import FormControlLabel from '@mui/material/FormControlLabel';
import Skeleton from '@mui/material/Skeleton';
import Switch from '@mui/material/Switch';
import Typography from '@mui/material/Typography';
import { AccountSection } from '../../features/accounts/AccountSection.tsx';
import { LeadEmailsChoice } from '../../features/accounts/LeadEmailsChoice.tsx';
import { OwnPasswordForm } from '../../features/accounts/OwnPasswordForm.tsx';
import { ProfileForm } from '../../features/accounts/ProfileForm.tsx';
import { SecondFactor } from '../../features/accounts/SecondFactor.tsx';
import { SessionList } from '../../features/accounts/SessionList.tsx';
import { type OwnAccount, useOwnAccountQuery } from '../../features/accounts/own-account-api.ts';
import { switchKeys, useAreKeysOn } from '../../features/leads/keys/keys-switch.ts';
import { PageFrame } from '../../layouts/staff/PageFrame.tsx';
import { ErrorState } from '../../staff-ui/lists/ErrorState.tsx';
import { toasts } from '../../toasts/toasts.ts';

/** The settings of the signed-in account (docs/PRODUCT.md, "Account page"). */
export function OwnAccountPage() {
  const { data: account, isError, isFetching, refetch } = useOwnAccountQuery();
  return (
    <PageFrame title="Your account" introduction={account ? `Signed in as ${account.username}.` : 'Your settings.'}>
      {account && <Settings account={account} />}
      {!account && isError && !isFetching && (
        <ErrorState text="Could not load your account." onRetry={() => void refetch()} />
      )}
      {!account && (isFetching || !isError) && <Skeleton variant="rounded" height={320} />}
    </PageFrame>
  );
}

function Settings({ account }: { readonly account: OwnAccount }) {
  return (
    <>
      <AccountSection
        heading="Profile"
        text="Visitors see your name in replies. Emails about your account go to the address."
      >
        <ProfileForm account={account} />
      </AccountSection>
      <AccountSection
        heading="Emails about leads"
        text="When a colleague assigns you a lead, or mentions you in a note. The navigation shows these leads in any case."
        anchor="lead-emails"
      >
        <LeadEmailsChoice account={account} />
      </AccountSection>
      <AccountSection heading="Password" text="A new password signs you out on all other devices.">
        <OwnPasswordForm
          username={account.username}
          onChanged={() => toasts.success('All other devices are signed out.', 'Password Changed')}
        />
      </AccountSection>
      <AccountSection
        heading="Second factor"
        text="A passkey or a code, in addition to your password. A stolen password alone then signs no one in. Adding or removing one signs out your other devices."
      >
        <SecondFactor account={account} />
      </AccountSection>
      <AccountSection
        heading="Devices"
        text="Where you are signed in. End a session that you do not recognize, then change your password."
      >
        <SessionList />
      </AccountSection>
      <AccountSection heading="Keyboard" text="Single keys work in the list of leads and in an open lead.">
        <KeysSwitch />
      </AccountSection>
    </>
  );
}

function KeysSwitch() {
  const areOn = useAreKeysOn();
  return (
    <>
      <FormControlLabel
        control={<Switch checked={areOn} onChange={(_, isOn) => switchKeys(isOn)} />}
        label="Use the keys in this browser"
      />
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        Press ? on the leads page to see them.
      </Typography>
    </>
  );
}
