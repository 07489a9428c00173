import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { skipToken } from '@reduxjs/toolkit/query';
import { useId, useState } from 'react';
import { ErrorState } from '../../staff-ui/lists/ErrorState.tsx';
import { type Leaving, useDiscardConfirmation } from '../../staff-ui/dialogs/use-discard-confirmation.ts';
import { Modal } from '../../ui/Modal.tsx';
import { useTitlePart } from '../../ui/page-title.ts';
import { isRequestFailure } from '../../api-client/request.ts';
import { EmailForm } from './EmailForm.tsx';
import type { Lead } from './lead.ts';
import { type EmailsOfLead, LeadDetails } from './LeadDetails.tsx';
import { leadName } from './lead-labels.ts';
import { useLeadQuery } from './leads-api.ts';

interface LeadDialogProps {
  /** Of the address; undefined closes the dialog. */
  readonly id: string | undefined;
  /** The leads that the tables have: what is there needs no call. */
  readonly known: (id: string) => Lead | undefined;
  readonly Emails: EmailsOfLead;
  readonly onClose: () => void;
}

/** One lead with all its fields, and the reply to it in its place. */
export function LeadDialog({ id, known, Emails, onClose }: LeadDialogProps) {
  const titleId = useId();
  const [knownId, setKnownId] = useState(id);
  // Stays when the dialog closes, so that it does not change on its way out; each opening is a new one.
  const [shownId, setShownId] = useState(id);
  const [isWriting, setIsWriting] = useState(false);
  if (id !== knownId) {
    setKnownId(id);
    if (id !== undefined) {
      setShownId(id);
      setIsWriting(false);
    }
  }

  const leaving = useDiscardConfirmation(() => setIsWriting(false));
  return (
    <Modal open={id !== undefined} onClose={isWriting ? leaving.askToLeave : onClose} labelledBy={titleId} width="md">
      {shownId !== undefined && (
        <Content
          key={shownId}
          id={shownId}
          known={known(shownId)}
          titleId={titleId}
          Emails={Emails}
          isWriting={isWriting}
          onWrite={() => setIsWriting(true)}
          leaving={leaving}
          onClose={onClose}
        />
      )}
    </Modal>
  );
}

interface ContentProps {
  readonly id: string;
  readonly known: Lead | undefined;
  readonly titleId: string;
  readonly Emails: EmailsOfLead;
  readonly isWriting: boolean;
  readonly onWrite: () => void;
  /** How the reply is left. */
  readonly leaving: Leaving;
  readonly onClose: () => void;
}

function Content({ id, known, titleId, Emails, isWriting, onWrite, leaving, onClose }: ContentProps) {
  const { data, isError, error, refetch } = useLeadQuery(known === undefined ? id : skipToken);
  // While the lists are read anew they may not have come to it yet; whoever writes goes on.
  const [last, setLast] = useState(known);
  if (known !== undefined && known !== last) setLast(known);
  const lead = known ?? data ?? last;
  const [hasWritten, setHasWritten] = useState(false);
  useTitlePart(lead && leadName(lead));

  if (lead && isWriting) return <EmailForm lead={lead} titleId={titleId} leaving={leaving} />;
  if (lead) {
    return (
      <LeadDetails
        lead={lead}
        titleId={titleId}
        Emails={Emails}
        isReturn={hasWritten}
        onEmail={() => {
          setHasWritten(true);
          onWrite();
        }}
        onClose={onClose}
      />
    );
  }
  return (
    <Box sx={{ padding: 'clamp(1.25rem, 4vw, 2rem)' }}>
      <Typography id={titleId} variant="h2" sx={{ paddingRight: 5, marginBottom: 2.5 }}>
        Lead details
      </Typography>
      {!isError && <Loading />}
      {isError && isRequestFailure(error) && error.status === 404 && <Unknown onClose={onClose} />}
      {isError && !(isRequestFailure(error) && error.status === 404) && (
        <ErrorState text="The lead could not be loaded." onRetry={() => void refetch()} />
      )}
    </Box>
  );
}

function Loading() {
  return (
    <Box component="output" aria-label="Loading the lead" sx={{ display: 'grid', gap: 1.5 }}>
      {[40, 65, 50, 90].map((width) => (
        <Skeleton key={width} width={`${width}%`} height={28} />
      ))}
    </Box>
  );
}

function Unknown({ onClose }: { readonly onClose: () => void }) {
  return (
    <Box role="alert">
      <Typography>There is no such lead. The address may be cut off, or the lead has been deleted.</Typography>
      <Button variant="outlined" onClick={onClose} sx={{ marginTop: 2.5 }}>
        Show all leads
      </Button>
    </Box>
  );
}
