import type { Lead } from '@dune-tide/domain/responses/lead';
import { skipToken } from '@reduxjs/toolkit/query';
import { useEffect, useEffectEvent, useState } from 'react';
import { ActionNotice } from '../../../staff-ui/dialogs/ActionNotice.tsx';
import { isRequestFailure } from '../../../api-client/request.ts';
import { LeadName } from '../LeadName.tsx';
import { useLeadQuery } from '../leads-api.ts';
import { begunReplies, replyDraft } from './reply-draft.ts';

interface ReplyNoticesProps {
  /** Returns a lead that the tables have loaded, which saves a request. */
  readonly known: (id: string) => Lead | undefined;
  readonly onOpen: (lead: Lead) => void;
}

/** Shows the leads with an unsent reply draft. The draft is deleted if the lead no longer exists. */
export function ReplyNotices({ known, onOpen }: ReplyNoticesProps) {
  const [, setForgotten] = useState<string>();
  const forget = (id: string) => {
    replyDraft(id).clear();
    // Renders the list again, without the deleted draft.
    setForgotten(id);
  };
  return begunReplies().map((id) => (
    <Notice key={id} id={id} known={known(id)} onOpen={onOpen} onGone={() => forget(id)} />
  ));
}

interface NoticeProps {
  readonly id: string;
  readonly known: Lead | undefined;
  readonly onOpen: (lead: Lead) => void;
  readonly onGone: () => void;
}

function Notice({ id, known, onOpen, onGone }: NoticeProps) {
  const { data, error } = useLeadQuery(known ? skipToken : id);
  const lead = known ?? data;
  const isGone = !lead && isRequestFailure(error) && error.status === 404;
  const tellGone = useEffectEvent(onGone);
  useEffect(() => {
    if (isGone) tellGone();
  }, [isGone]);

  if (!lead) return null;
  return (
    <ActionNotice onAct={() => onOpen(lead)}>
      Your reply to <LeadName lead={lead} /> is not sent yet.
    </ActionNotice>
  );
}
