import type { Lead } from '@dune-tide/domain/responses/lead';
import { useId, useState } from 'react';
import { useDiscardConfirmation } from '../../../staff-ui/dialogs/use-discard-confirmation.ts';
import { Modal } from '../../../ui/Modal.tsx';
import { useRemoveMark } from '../lead-marks.ts';
import { ReplyForm } from './ReplyForm.tsx';

interface ReplyDialogProps {
  /** The recipient; undefined closes the dialog. */
  readonly lead: Lead | undefined;
  readonly onClose: () => void;
  /** Closes the dialog and opens the next lead of the list; undefined without one. */
  readonly onNext?: (() => void) | undefined;
}

/** The dialog for a reply to a lead, over the table. */
export function ReplyDialog({ lead, onClose, onNext }: ReplyDialogProps) {
  useRemoveMark(lead?.id);
  const titleId = useId();
  const [shown, setShown] = useState(lead);
  if (lead !== undefined && lead !== shown) setShown(lead);
  const leaving = useDiscardConfirmation(onClose);
  return (
    <Modal open={lead !== undefined} onClose={leaving.askToLeave} labelledBy={titleId} width="lg">
      {shown !== undefined && (
        <ReplyForm key={shown.id} lead={shown} titleId={titleId} leaving={leaving} onNext={onNext} />
      )}
    </Modal>
  );
}
