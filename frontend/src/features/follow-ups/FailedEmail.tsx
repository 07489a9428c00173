import type { FollowUpKind } from '@dune-tide/domain/follow-ups';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import type { ReactNode } from 'react';
import { isRequestFailure } from '../../api-client/request.ts';
import { failureTextOf } from '../../staff-ui/failure-text.ts';
import { toasts } from '../../toasts/toasts.ts';
import { failureText, isCorrectable } from './correct-address.ts';
import { useRetryEmailMutation } from './follow-ups-api.ts';

interface FailedEmailProps {
  readonly id: string;
  readonly leadId: string;
  readonly kind: FollowUpKind;
  readonly recipient: string;
  readonly actions?: ReactNode;
  readonly onCorrect: () => void;
}

/** The actions on a failed email: retry it and, if it goes to a visitor, correct its address. */
export function FailedEmail({ id, leadId, kind, recipient, actions, onCorrect }: FailedEmailProps) {
  const [retry, { isLoading }] = useRetryEmailMutation();
  const send = async () => {
    if (isLoading) return;
    try {
      await retry({ id, leadId }).unwrap();
      toasts.success(`The email to ${recipient} will be retried.`, 'Retried');
    } catch (error) {
      if (!isRequestFailure(error)) throw error;
      if (error.status !== 401) toasts.error(failureTextOf(error, failureText));
    }
  };
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, marginTop: 0.25 }}>
      <Link component="button" type="button" onClick={() => void send()}>
        {isLoading ? 'Retrying...' : 'Retry'}
      </Link>
      {actions}
      {isCorrectable({ kind, state: 'failed' }) && (
        <Link component="button" type="button" onClick={onCorrect}>
          Correct the address
        </Link>
      )}
    </Box>
  );
}
