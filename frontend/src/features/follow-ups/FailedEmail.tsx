import type { FollowUpKind } from '@dune-tide/domain/follow-ups';
import { recipientForm } from '@dune-tide/domain/forms/reply';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { type ReactNode, useState } from 'react';
import validate from 'virtual:validator/follow-up-recipient';
import { isRequestFailure } from '../../api-client/request.ts';
import { Form } from '../../form/Form.tsx';
import { FormAlert } from '../../form/FormAlert.tsx';
import { SubmitButton } from '../../form/SubmitButton.tsx';
import { toasts } from '../../toasts/toasts.ts';
import { AddressFields } from './AddressFields.tsx';
import { failureText, isCorrectable, type Recipient, useCorrectAddress } from './correct-address.ts';
import { useRetryEmailMutation } from './follow-ups-api.ts';

export interface FailedEmailProps {
  readonly id: string;
  readonly leadId: string;
  readonly kind: FollowUpKind;
  readonly recipient: string;
  readonly actions?: ReactNode;
}

/** The actions on a failed email: retry it and, if it goes to a visitor, correct its address. */
export function FailedEmail({ id, leadId, kind, recipient, actions }: FailedEmailProps) {
  const [retry, { isLoading }] = useRetryEmailMutation();
  const [isCorrecting, setIsCorrecting] = useState(false);
  const send = async () => {
    if (isLoading) return;
    try {
      await retry({ id, leadId }).unwrap();
      toasts.success(`The email to ${recipient} will be retried.`, 'Retried');
    } catch (error) {
      if (!isRequestFailure(error)) throw error;
      if (error.status !== 401) toasts.error(failureText(error.status));
    }
  };
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, marginTop: 0.25 }}>
        <Link component="button" type="button" onClick={() => void send()}>
          {isLoading ? 'Retrying...' : 'Retry'}
        </Link>
        {actions}
        {isCorrectable({ kind, state: 'failed' }) && (
          <Link
            component="button"
            type="button"
            aria-expanded={isCorrecting}
            onClick={() => setIsCorrecting(!isCorrecting)}
          >
            Correct the address
          </Link>
        )}
      </Box>
      {isCorrecting && (
        <Box sx={{ marginBlock: 1.5 }}>
          <CorrectAddress id={id} leadId={leadId} recipient={recipient} onDone={() => setIsCorrecting(false)} />
        </Box>
      )}
    </>
  );
}

function CorrectAddress({
  id,
  leadId,
  recipient,
  onDone,
}: Omit<FailedEmailProps, 'kind' | 'actions'> & { readonly onDone: () => void }) {
  const correct = useCorrectAddress({ id, leadId });
  const [alert, setAlert] = useState<string>();
  return (
    <Form<Recipient>
      label="Correct the address"
      schema={recipientForm}
      validate={validate}
      initialValues={{ email: recipient }}
      keepsDraft={false}
      send={async (corrected) => {
        setAlert(undefined);
        await correct(corrected);
      }}
      onSent={onDone}
      onFailed={(failure) => {
        if (failure.fieldErrors.length === 0) setAlert(failureText(failure.status));
      }}
    >
      <FormAlert text={alert} />
      <AddressFields />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.25, marginTop: 1.25 }}>
        <SubmitButton label="Save and Send" pendingLabel="Saving..." variant="outlined" />
        <Button variant="text" onClick={onDone}>
          Cancel
        </Button>
      </Box>
    </Form>
  );
}
