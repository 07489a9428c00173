import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { skipToken } from '@reduxjs/toolkit/query';
import { useId, useState } from 'react';
import { ErrorState } from '../../staff-ui/lists/ErrorState.tsx';
import { type Leaving, useDiscardConfirmation } from '../../staff-ui/dialogs/use-discard-confirmation.ts';
import { Modal } from '../../ui/Modal.tsx';
import { useBackToClose } from '../../ui/use-back-to-close.ts';
import { useTitlePart } from '../../ui/page-title.ts';
import { isRequestFailure } from '../../api-client/request.ts';
import { EmailForm } from './EmailForm.tsx';
import type { Lead } from './lead.ts';
import { type EmailsOfLead, LeadDetails } from './LeadDetails.tsx';
import { leadName } from './lead-labels.ts';
import { useLeadQuery } from './leads-api.ts';

interface LeadDialogProps {
  /** The lead's id in the URL; undefined closes the dialog. */
  readonly id: string | undefined;
  /** Returns a lead that the tables have loaded, which saves a request. */
  readonly known: (id: string) => Lead | undefined;
  readonly Emails: EmailsOfLead;
  readonly onClose: () => void;
}

/** A lead with all its fields, or the reply to it. */
export function LeadDialog({ id, known, Emails, onClose }: LeadDialogProps) {
  const titleId = useId();
  const [knownId, setKnownId] = useState(id);
  // Kept while the dialog closes, so that its content does not change. Each opening starts fresh.
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
  // Back from the reply shows the details again.
  useBackToClose(id !== undefined && isWriting, leaving.askToLeave);
  return (
    <Modal
      open={id !== undefined}
      onClose={isWriting ? leaving.askToLeave : onClose}
      labelledBy={titleId}
      width="md"
      hasAddress
    >
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
  /** Handles an unsaved reply. */
  readonly leaving: Leaving;
  readonly onClose: () => void;
}

function Content({ id, known, titleId, Emails, isWriting, onWrite, leaving, onClose }: ContentProps) {
  const { data, isError, error, refetch } = useLeadQuery(known === undefined ? id : skipToken);
  // After a refresh the lists may not contain the lead yet. An open reply must not be interrupted.
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
        <ErrorState text="Could not load the lead." onRetry={() => void refetch()} />
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
      <Typography>Lead not found. The address may be incomplete, or the lead has been deleted.</Typography>
      <Button variant="outlined" onClick={onClose} sx={{ marginTop: 2.5 }}>
        Show all leads
      </Button>
    </Box>
  );
}
