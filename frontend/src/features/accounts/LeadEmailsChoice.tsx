import { leadEmailChoices, leadEmailTexts, type LeadEmails } from '@dune-tide/domain/lead-emails';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import { isRequestFailure } from '../../api-client/request.ts';
import { toasts } from '../../toasts/toasts.ts';
import { type OwnAccount, useChooseLeadEmailsMutation } from './own-account-api.ts';

/** Chooses when the signed-in account gets emails about assigned leads and mentions. A choice is stored immediately. */
export function LeadEmailsChoice({ account }: { readonly account: OwnAccount }) {
  const [choose, { isLoading, originalArgs }] = useChooseLeadEmailsMutation();
  const change = async (leadEmails: LeadEmails) => {
    if (isLoading) return;
    try {
      await choose(leadEmails).unwrap();
      toasts.success('Your choice was saved.');
    } catch (error) {
      if (!isRequestFailure(error)) throw error;
      if (error.status !== 401) toasts.error('Could not save your choice. Please try again.');
    }
  };
  return (
    <>
      <RadioGroup
        aria-label="Emails about leads"
        value={(isLoading && originalArgs) || account.leadEmails}
        onChange={(_, value) => void change(value as LeadEmails)}
      >
        {leadEmailChoices.map((choice) => (
          <FormControlLabel key={choice} value={choice} control={<Radio />} label={leadEmailTexts[choice]} />
        ))}
      </RadioGroup>
      {account.email === null && (
        <Typography variant="body2" sx={{ marginTop: 1, color: 'text.secondary' }}>
          Your account has no email address, so you get none.
        </Typography>
      )}
    </>
  );
}
