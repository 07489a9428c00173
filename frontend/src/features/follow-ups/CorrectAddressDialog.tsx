import { recipientForm } from '@dune-tide/domain/forms/reply';
import validate from 'virtual:validator/follow-up-recipient';
import { AdminDialog } from '../../staff-ui/dialogs/AdminDialog.tsx';
import { DialogForm } from '../../staff-ui/dialogs/DialogForm.tsx';
import { AddressFields } from './AddressFields.tsx';
import { failureText, type Recipient, useCorrectAddress } from './correct-address.ts';

/** A failed email to a visitor. */
export interface CorrectableEmail {
  readonly id: string;
  readonly leadId: string;
  readonly recipient: string;
}

interface CorrectAddressDialogProps {
  readonly email: CorrectableEmail | undefined;
  readonly open: boolean;
  /** Called after the address was corrected. */
  readonly onCorrected: () => void;
  readonly onClose: () => void;
}

/** Sends a failed email to a visitor to another address. */
export function CorrectAddressDialog({ email, open, onCorrected, onClose }: CorrectAddressDialogProps) {
  const correct = useCorrectAddress(email ?? { id: '', leadId: '' });
  if (!email) return null;
  return (
    <AdminDialog
      open={open}
      onClose={onClose}
      title="Correct the address"
      introduction={
        <>
          The email to <bdi>{email.recipient}</bdi> failed. It will be sent to the new address, and the history of the
          lead shows the correction.
        </>
      }
    >
      <DialogForm<Recipient>
        label="Correct the address"
        schema={recipientForm}
        validate={validate}
        initialValues={{ email: email.recipient }}
        send={correct}
        onSent={() => {
          onCorrected();
          onClose();
        }}
        failureText={({ status }) => failureText(status)}
        submitLabel="Save and Send"
        pendingLabel="Saving..."
        onCancel={onClose}
      >
        <AddressFields />
      </DialogForm>
    </AdminDialog>
  );
}
