import { recipientForm } from '@dune-tide/domain/forms/reply';
import { useState } from 'react';
import validate from 'virtual:validator/follow-up-recipient';
import { CheckboxField } from '../../form/CheckboxField.tsx';
import { TextField } from '../../form/TextField.tsx';
import { AdminDialog } from '../../staff-ui/dialogs/AdminDialog.tsx';
import { DialogForm } from '../../staff-ui/dialogs/DialogForm.tsx';
import { failureText, type Recipient, useCorrectAddress } from './correct-address.ts';
import type { EmailOfLead } from './follow-ups-api.ts';

/** A failed email to a visitor. */
export interface CorrectableEmail extends EmailOfLead {
  readonly recipient: string;
}

interface CorrectAddressDialogProps {
  /** Undefined closes the dialog. */
  readonly email: CorrectableEmail | undefined;
  /** Called after the address was corrected. */
  readonly onCorrected?: () => void;
  readonly onClose: () => void;
}

/** Sends a failed email to a visitor to another address. */
export function CorrectAddressDialog({ email, onCorrected, onClose }: CorrectAddressDialogProps) {
  // Kept while the dialog closes, so that its text does not change.
  const [shown, setShown] = useState(email);
  if (email !== undefined && email !== shown) setShown(email);
  const correct = useCorrectAddress();
  if (!shown) return null;
  return (
    <AdminDialog
      open={email !== undefined}
      onClose={onClose}
      title="Correct the address"
      introduction={
        <>
          The email to <bdi>{shown.recipient}</bdi> failed. It will be sent to the new address, and the history of the
          lead shows the correction.
        </>
      }
    >
      <DialogForm<Recipient>
        label="Correct the address"
        schema={recipientForm}
        validate={validate}
        initialValues={{ email: shown.recipient }}
        send={(recipient) => correct(shown, recipient)}
        onSent={() => {
          onCorrected?.();
          onClose();
        }}
        failureText={failureText}
        submitLabel="Save and Send"
        pendingLabel="Saving..."
        onCancel={onClose}
      >
        <TextField name="email" label="Email address" type="email" inputMode="email" hasFirstFocus />
        <CheckboxField name="changeLead" label="Also change the address of the lead" />
      </DialogForm>
    </AdminDialog>
  );
}
