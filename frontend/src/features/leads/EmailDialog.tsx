import { useId, useState } from 'react';
import { Modal } from '../../components/Modal.tsx';
import { EmailForm } from './EmailForm.tsx';
import type { Lead } from './lead.ts';

interface EmailDialogProps {
  /** Whom to write to; undefined closes the dialog. */
  readonly lead: Lead | undefined;
  readonly onClose: () => void;
}

/** The reply to a lead, over the table. */
export function EmailDialog({ lead, onClose }: EmailDialogProps) {
  const titleId = useId();
  const [shown, setShown] = useState(lead);
  if (lead !== undefined && lead !== shown) setShown(lead);
  return (
    <Modal open={lead !== undefined} onClose={onClose} labelledBy={titleId}>
      {shown !== undefined && <EmailForm lead={shown} titleId={titleId} onDone={onClose} />}
    </Modal>
  );
}
