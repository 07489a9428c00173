import { followUpRules, type FollowUpKind } from '@dune-tide/domain/follow-ups';
import Link from '@mui/material/Link';
import { type ReactNode, useState } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { formatDateTime } from '../../format/dates.ts';
import { followUpsPath } from '../../routing/staff-paths.ts';
import { type CorrectableEmail, CorrectAddressDialog } from './CorrectAddressDialog.tsx';
import { FailedEmail } from './FailedEmail.tsx';
import { lastResponse, stateLabels, timeOf } from './follow-up-labels.ts';
import type { FollowUp } from './follow-ups-api.ts';

/** An email as the history of a lead has it. */
interface EmailInHistory extends Pick<
  FollowUp,
  'recipient' | 'state' | 'nextTryAt' | 'sentAt' | 'updatedAt' | 'serverAnswer' | 'withheldReason'
> {
  readonly id: string;
  readonly leadId: string;
  readonly email: FollowUpKind;
}

interface EmailFateProps {
  readonly email: EmailInHistory;
  /** Replaces the name of its kind. */
  readonly label?: ReactNode;
  /** More actions on a failed email. */
  readonly actions?: ReactNode;
}

/**
 * An email in a lead's history: its recipient, its state with the time, why it was not sent, and a retry if it failed. The state links to the
 * list of that state, except "Sent", whose list is as long as the list of leads.
 */
export function EmailFate({ email, label: name, actions }: EmailFateProps) {
  const { id, leadId, state, recipient } = email;
  const [correctable, setCorrectable] = useState<CorrectableEmail>();
  const { label, time } = stateLabels[state];
  const response = lastResponse(email);
  const at = timeOf(email);
  return (
    <>
      {name ?? followUpRules[email.email].label}
      {recipient !== null && (
        <>
          {' '}
          to <bdi>{recipient}</bdi>
        </>
      )}
      {': '}
      {state === 'sent' ? (
        label
      ) : (
        <Link component={RouterLink} to={followUpsPath(state)}>
          {label}
        </Link>
      )}
      {at !== null && (
        <>
          {time === label ? ' ' : `, ${time.toLowerCase()} `}
          <time dateTime={at}>{formatDateTime(at)}</time>
        </>
      )}
      {state !== 'sent' && response !== null && `: ${response}`}
      {state === 'failed' && recipient !== null && (
        <FailedEmail
          id={id}
          leadId={leadId}
          kind={email.email}
          recipient={recipient}
          actions={actions}
          onCorrect={() => setCorrectable({ id, leadId, recipient })}
        />
      )}
      <CorrectAddressDialog email={correctable} onClose={() => setCorrectable(undefined)} />
    </>
  );
}
